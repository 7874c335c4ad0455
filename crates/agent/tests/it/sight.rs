//! Pictures, from a call to the request that carries them.

use std::io::Write;

use orangery_domain::{Level, ToolState};
use orangery_library::{PICTURE_LIMIT, WorkerCommand};
use serde_json::{Value, json};

use crate::script::{Say, Script};
use crate::support::{House, write, write_empty};

pub const WORKER: &str = "extract-worker";

/// Before the tests of this program run: started as a worker, it is one.
#[ctor::ctor(unsafe)]
fn worker() {
    if orangery_process::child::requested() {
        std::process::exit(orangery_process::child::watchdog_main());
    }
    if std::env::args().nth(1).as_deref() == Some(WORKER) {
        let ended = orangery_library::worker::serve();
        std::process::exit(i32::from(ended.is_err()));
    }
}

async fn house(files: &[(&str, &str)]) -> House {
    House::reading(files, Some(WorkerCommand::new(std::env::current_exe().unwrap(), &[WORKER]))).await
}

/// Black pixels as PNG.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&vec![0; (width * height) as usize]).unwrap();
    bytes
}

/// Two paragraphs, each with a picture behind it.
fn docx() -> Vec<u8> {
    let image = |id: &str| {
        format!(
            r#"<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1" cy="1"/><wp:docPr id="1" name="{id}" descr="Plan {id}"/>
            <a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="{id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic>
            </wp:inline></w:drawing></w:r></w:p>"#
        )
    };
    let document = format!(
        r#"<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
        xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"
        xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>
        <w:p><w:r><w:t>First floor.</w:t></w:r></w:p>{}<w:p><w:r><w:t>Second floor.</w:t></w:r></w:p>{}
        </w:body></w:document>"#,
        image("r1"),
        image("r2")
    );
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006";
    let rels = format!(
        r#"<Relationships xmlns="{package}/relationships">
        <Relationship Id="r1" Type="{office}/image" Target="media/one.png"/>
        <Relationship Id="r2" Type="{office}/image" Target="media/two.png"/></Relationships>"#
    );
    let top = format!(
        r#"<Relationships xmlns="{package}/relationships">
        <Relationship Id="d" Type="{office}/officeDocument" Target="word/document.xml"/></Relationships>"#
    );
    let types = format!(
        r#"<Types xmlns="{package}/content-types"><Default Extension="png" ContentType="image/png"/>
        <Override PartName="/word/document.xml"
        ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#
    );
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in [
        ("[Content_Types].xml", types.into_bytes()),
        ("_rels/.rels", top.into_bytes()),
        ("word/document.xml", document.into_bytes()),
        ("word/_rels/document.xml.rels", rels.into_bytes()),
        ("word/media/one.png", png(3, 2)),
        ("word/media/two.png", png(5, 2)),
    ] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Labels and widths of the pictures of a request, in order.
fn pictures(request: &Value) -> Vec<(String, u32)> {
    let messages = request["messages"].as_array().unwrap();
    let parts = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    let mut label = String::new();
    let mut found = Vec::new();
    for part in parts {
        if let Some(text) = part["text"].as_str() {
            label = text.to_owned();
            continue;
        }
        let url = part["image_url"]["url"].as_str().unwrap();
        let data = url.strip_prefix("data:image/png;base64,").unwrap();
        let bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        found.push((label.clone(), reader.info().width));
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_sees_is_shown_pictures_behind_all_results_and_again_after_a_restart() {
    let mut house = house(&[]).await;
    write(&house.root().join("wide.png"), png(4_096, 8));
    write(&house.root().join("plan.docx"), docx());
    let script = Script::start(vec![
        Say::Calls(
            "",
            vec![
                ("read", json!({ "path": "wide.png" })),
                ("read", json!({ "path": "plan.docx", "block": 1 })),
            ],
        ),
        Say::Text("Both are black."),
        Say::Text("Still black."),
    ])
    .await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L2, true).await;
    house.assistant.prompt(&session.id, "What is to be seen?", vec![]).await.unwrap();
    house.ended().await;
    let expected = [("[wide.png]".to_owned(), 2_048), ("[plan.docx, picture".to_owned(), 3)];
    let check = |request: &Value| {
        let shown = pictures(request);
        assert_eq!(shown.len(), 2, "{request}");
        for ((label, width), (begins, wide)) in shown.iter().zip(&expected) {
            assert!(label.starts_with(begins) && width == wide, "{shown:?}");
        }
        let roles: Vec<_> =
            request["messages"].as_array().unwrap().iter().map(|message| message["role"].clone()).collect();
        assert_eq!(roles[2..7], ["assistant", "tool", "tool", "user", "user"]);
    };
    check(&script.requests()[1]);
    let steps = house.steps(&session.id).await;
    assert!(steps.iter().all(|step| step.state == ToolState::Done), "{steps:?}");
    // The conversation goes on, and what was seen is still seen.
    let before = house.restart().await;
    house.assistant.prompt(&session.id, "And now?", vec![]).await.unwrap();
    house.ended().await;
    check(&script.requests()[2]);
    drop(before);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_is_chosen_by_the_call() {
    let note = "# Plans\n\n![one](wide.png) ![gone](gone.png) ![far](https://example.org/a.png)\n";
    let house = house(&[("note.md", note)]).await;
    write(&house.root().join("wide.png"), png(40, 8));
    write(&house.root().join("plan.docx"), docx());
    let read = |input: Value| ("read", input);
    let script = Script::start(vec![
        Say::Calls(
            "",
            vec![
                read(json!({ "path": "note.md" })),
                read(json!({ "path": "plan.docx", "documentImages": true })),
                read(json!({ "path": "wide.png", "includeImages": "none" })),
            ],
        ),
        Say::Calls(
            "",
            vec![
                read(json!({ "path": "note.md", "includeImages": "always" })),
                read(json!({ "path": "plan.docx", "includeImages": "always" })),
            ],
        ),
        Say::Text("Seen."),
    ])
    .await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L2, true).await;
    house.assistant.prompt(&session.id, "Look.", vec![]).await.unwrap();
    house.ended().await;
    let requests = script.requests();
    assert_eq!(pictures(&requests[1]), []);
    let widths: Vec<_> = pictures(&requests[2]).into_iter().map(|(_, width)| width).collect();
    assert_eq!(widths, [40, 3, 5]);
    let steps = house.steps(&session.id).await;
    let result = |at: usize| serde_json::from_str::<Value>(&steps[at].result).unwrap();
    let listed = result(1)["documentImages"].clone();
    assert_eq!(listed[0]["caption"], "Plan r1", "{listed}");
    assert_eq!(listed.as_array().unwrap().len(), 2);
    assert_eq!(result(3)["images"], json!([{ "path": "wide.png", "width": 40, "height": 8 }]));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_see_is_told_so_and_what_is_no_picture_is_refused() {
    let house = house(&[("drawing.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")]).await;
    write(&house.root().join("wide.png"), png(40, 8));
    write(&house.root().join("broken.png"), "no picture");
    write_empty(&house.root().join("huge.png"), PICTURE_LIMIT + 1);
    let script = Script::start(vec![
        Say::Calls(
            "",
            vec![("read", json!({ "path": "broken.png" })), ("read", json!({ "path": "huge.png" }))],
        ),
        Say::Text("Nothing to see."),
    ])
    .await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L2, true).await;
    house.assistant.prompt(&session.id, "Look.", vec![]).await.unwrap();
    house.ended().await;
    let steps = house.steps(&session.id).await;
    assert!(steps.iter().all(|step| step.state == ToolState::Failed), "{steps:?}");
    assert_eq!(pictures(&script.requests()[1]), []);
    let read = house.call("read", json!({ "path": "wide.png" })).await;
    assert!(read["visionUnavailable"].as_str().unwrap().contains("no model"), "{read}");
    let refusal = house.refusal("read", json!({ "path": "drawing.svg" })).await;
    assert!(refusal.contains("SVG"), "{refusal}");
    let refusal = house.refusal("read", json!({ "path": "wide.png", "page": 1 })).await;
    assert!(refusal.contains("wide.png"), "{refusal}");
}
