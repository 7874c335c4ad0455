use orangery_domain::{ChangeSetState, CommentLine, HunkDecision, OperationState};

use super::support::*;

const FAR: &str = "a1\na2\na3\na4\na5\na6\na7\na8\na9\nb1\nb2\nb3\nb4\nb5\nb6\nb7\nb8\nb9\n";

fn codes(operation: &orangery_domain::Operation) -> Vec<&str> {
    operation.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

#[tokio::test]
async fn the_users_words_are_what_is_applied() {
    let house = House::new().await;
    let before = FAR.replace('\n', "\r\n");
    house.put("a.md", &before);
    let after = FAR.replace("a2", "A2").replace("a9", "A9").replace("b8", "B8");
    let proposed = house.edit("a.md", rewrite(&after)).await.unwrap();
    let (set, id) = (proposed.change_set_id, proposed.operation_id);
    house.changes.review(set, &[decision(id, Some(1), HunkDecision::Rejected)]).await.unwrap();

    // Lines in common with the old ones do not make two hunks of it.
    let diff = house.changes.edit_proposal(id, 1, "one\na9\ntwo\nthree\nfour\nfive\nsix").await.unwrap();
    assert_eq!(diff.hunks.len(), 3);
    assert_eq!(codes(&diff.operation), ["editedByUser"]);
    assert_eq!(diff.operation.warnings[0].detail, "1");
    assert_eq!(diff.hunks[1].decision, HunkDecision::Undecided);
    let diff = house.changes.edit_proposal(id, 1, "neun\n").await.unwrap();
    assert_eq!((diff.hunks.len(), diff.operation.added, diff.operation.warnings.len()), (3, 3, 1));
    // What a list shows is the same, without looking at the text.
    assert_eq!(house.changes.get(set).await.unwrap().operations[0], diff.operation);
    let house = house.restart().await;
    assert_eq!(house.changes.diff(id).await.unwrap(), diff);

    // No text takes the lines out.
    house.changes.edit_proposal(id, 2, "").await.unwrap();
    house.changes.apply(set, &[], true).await.unwrap();
    house.holds("a.md", before.replace("a2", "A2").replace("a9", "neun").replace("b8\r\n", ""));
    house.changes.undo(set).await.unwrap();
    house.holds("a.md", before);
    assert_eq!(house.changes.edit_proposal(id, 0, "x").await.unwrap_err().code(), "alreadyUndone");
}

#[tokio::test]
async fn the_files_own_lines_reject_a_hunk_and_it_stays_to_be_seen() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo");
    let proposed = house.replace("a.md", "two", "2\n3").await.unwrap();
    let id = proposed.operation_id;
    let diff = house.changes.edit_proposal(id, 0, "two").await.unwrap();
    assert_eq!((diff.hunks.len(), diff.operation.state), (1, OperationState::Rejected));
    assert!(diff.hunks[0].rows.iter().any(|row| row.text == "3"));
    assert_eq!(codes(&diff.operation), Vec::<&str>::new());
    // The last line keeps its habit of having no line break.
    let diff = house.changes.edit_proposal(id, 0, "zwei\n").await.unwrap();
    assert_eq!(diff.operation.state, OperationState::Undecided);
    house.apply(&proposed).await;
    house.holds("a.md", "one\nzwei");
    for hunk in [1, 9] {
        let other = house.replace("a.md", "zwei", "drei").await.unwrap();
        let missing = house.changes.edit_proposal(other.operation_id, hunk, "x").await.unwrap_err();
        assert_eq!(missing.code(), "notFound");
        house.changes.reject(other.change_set_id).await.unwrap();
    }
}

#[tokio::test]
async fn words_for_a_new_file_and_words_that_its_encoding_lacks() {
    let house = House::new().await;
    let proposed = house.proposals.create_file(&by("s"), &house.place("n.md"), "one\ntwo\n").await.unwrap();
    house.changes.edit_proposal(proposed.operation_id, 0, "uno\ndos\ntres").await.unwrap();
    house.apply(&proposed).await;
    house.holds("n.md", "uno\ndos\ntres\n");

    let text = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n";
    let bytes =
        orangery_domain::text::encode(text, orangery_domain::text::Encoding::ShiftJis, false).unwrap();
    house.put("j.md", &bytes);
    let proposed = house.replace("j.md", "名前", "なまえ").await.unwrap();
    let refused = house.changes.edit_proposal(proposed.operation_id, 0, "🍊").await.unwrap_err();
    assert_eq!(refused.code(), "unencodable");
    assert_eq!(house.changes.diff(proposed.operation_id).await.unwrap().hunks.len(), 1);
}

#[tokio::test]
async fn what_was_built_on_reworded_lines_follows_or_is_a_conflict() {
    let house = House::new().await;
    house.put("a.md", FAR);
    let first = house.replace("a.md", "a2", "A2\nmore").await.unwrap();
    let apart = house.replace("a.md", "b8", "B8").await.unwrap();
    let inside = house.replace("a.md", "more", "still more").await.unwrap();
    let set = first.change_set_id;
    house.changes.edit_proposal(first.operation_id, 0, "A2").await.unwrap();
    let state = |id| {
        let house = &house;
        async move { house.state(id).await }
    };
    assert_eq!(state(apart.operation_id).await, OperationState::Undecided);
    assert_eq!(state(inside.operation_id).await, OperationState::Conflict);
    let shown = house.changes.get(set).await.unwrap();
    assert_eq!(codes(&shown.operations[2]), ["builtOnRejected"]);
    // Accepting it does not mend it.
    let accept = decision(inside.operation_id, None, HunkDecision::Accepted);
    house.changes.review(set, &[accept]).await.unwrap();
    assert_eq!(state(inside.operation_id).await, OperationState::Conflict);
    // What stands apart is shown on what is there now.
    let diff = house.changes.diff(apart.operation_id).await.unwrap();
    assert_eq!((diff.old_lines, diff.hunks[0].old.end), (18, 18));
    // And it is a proposal again once its ground is back.
    house.changes.edit_proposal(first.operation_id, 0, "A2\nmore").await.unwrap();
    assert_eq!(state(inside.operation_id).await, OperationState::Accepted);
    let applied = house.changes.apply(set, &[], true).await.unwrap();
    assert_eq!(applied.state, ChangeSetState::Applied);
    house.holds("a.md", FAR.replace("a2", "A2\nstill more").replace("b8", "B8"));
}

#[tokio::test]
async fn rejecting_moves_what_was_built_on_it_and_taking_up_moves_it_back() {
    let house = House::new().await;
    house.put("a.md", FAR);
    let first = house.replace("a.md", "a2", "A2\nmore").await.unwrap();
    let second = house.replace("a.md", "b8", "B8").await.unwrap();
    let set = first.change_set_id;
    let whole = |verdict| decision(first.operation_id, None, verdict);
    house.changes.review(set, &[whole(HunkDecision::Rejected)]).await.unwrap();
    let lines = |id| {
        let house = &house;
        async move { house.changes.diff(id).await.unwrap().old_lines }
    };
    assert_eq!(lines(second.operation_id).await, 18);
    house.changes.review(set, &[whole(HunkDecision::Accepted)]).await.unwrap();
    assert_eq!(lines(second.operation_id).await, 19);
    house.changes.review(set, &[whole(HunkDecision::Rejected)]).await.unwrap();
    house.changes.apply(set, &[], true).await.unwrap();
    house.holds("a.md", FAR.replace("b8", "B8"));
}

#[tokio::test]
async fn comments_stay_with_their_lines_and_go_out_once() {
    let house = House::new().await;
    house.put("a.md", FAR);
    let after = FAR.replace("a2", "A2").replace("b8", "B8\nb8 and a half");
    let proposed = house.edit("a.md", rewrite(&after)).await.unwrap();
    let (set, id) = (proposed.change_set_id, proposed.operation_id);
    let changes = house.changes.clone();
    let first = changes.comment(id, CommentLine::New(18), " why half? ").await.unwrap();
    assert_eq!((first.quote.as_str(), first.text.as_str()), ("b8 and a half", "why half?"));
    let old = changes.comment(id, CommentLine::Old(2), "was right").await.unwrap();
    assert_eq!(old.quote, "a2");
    changes.comment(id, CommentLine::Operation, "too much").await.unwrap();
    let gone = changes.comment(id, CommentLine::New(1), "never mind").await.unwrap();
    changes.remove_comment(gone.id).await.unwrap();
    assert_eq!(changes.remove_comment(gone.id).await.unwrap_err().code(), "notFound");
    for (line, text, code) in [
        (CommentLine::New(20), "x", "notFound"),
        (CommentLine::Old(19), "x", "notFound"),
        (CommentLine::Old(0), "x", "notFound"),
        (CommentLine::Old(1), " \n", "blankComment"),
    ] {
        assert_eq!(changes.comment(id, line, text).await.unwrap_err().code(), code, "{line:?}");
    }

    // The line moves with its text; a text that is gone leaves the quote where it was.
    changes.edit_proposal(id, 0, "A2\nA2 and a half\n").await.unwrap();
    let house = house.restart().await;
    let changes = house.changes.clone();
    let comments = changes.diff(id).await.unwrap().operation.comments;
    assert_eq!(comments.len(), 3);
    assert_eq!(comments[0].line, CommentLine::New(19));
    assert_eq!(comments[1].line, CommentLine::Old(2));
    changes.edit_proposal(id, 1, "B8\n").await.unwrap();
    let comment = changes.get(set).await.unwrap().operations[0].comments[0].clone();
    assert_eq!((comment.line, comment.quote.as_str()), (CommentLine::New(19), "b8 and a half"));

    let letter = changes.letter(set).await.unwrap();
    assert_eq!(letter.session_id, orangery_domain::SessionId("s".into()));
    assert_eq!(letter.places, [house.place("a.md")]);
    for part in [
        format!("a.md, the whole of operation {id}:\n\ntoo much"),
        format!("a.md, line 2 of the file (operation {id}):\n> a2\n\nwas right"),
        format!("a.md, line 19 of the proposed text (operation {id}):\n> b8 and a half\n\nwhy half?"),
    ] {
        assert!(letter.text.contains(&part), "{}", letter.text);
    }
    changes.comments_sent(&letter.comments).await.unwrap();
    assert_eq!(changes.letter(set).await.unwrap_err().code(), "nothingToSend");
    assert!(changes.get(set).await.unwrap().operations[0].comments.iter().all(|it| it.sent_at.is_some()));
    let undone = {
        changes.apply(set, &[], true).await.unwrap();
        changes.undo(set).await.unwrap()
    };
    assert_eq!(changes.letter(undone.change_set_id).await.unwrap_err().code(), "noSessionOfSet");
}
