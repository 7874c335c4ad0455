//! Estimates of tokens against what the tables of models count.

use crate::{ChatMessage, Reasoning, ToolCall, estimate, estimate_message};

const ENGLISH: &str = r#"# Moving the greenhouse

The old greenhouse stands too close to the wall, and from October to March it gets less than two hours of
light. We agreed in spring to move it 4.5 m to the south-east, where the ground is level and the drain from the
kitchen garden passes. Before anything is taken apart, somebody must photograph every pane: 214 of them, of which
about thirty are cracked and will be replaced by the same 3 mm horticultural glass (see [[Suppliers]]).

- [ ] Ask whether a permit is needed; the office said "probably not" on 2026-02-11.
- [x] Measure the footing: 6,200 × 3,050 mm, frost depth 80 cm.
- [ ] Decide what happens to the vine, which is older than the house.

Nobody has an answer for the heating yet. The pipes are sound, but the boiler was last serviced eleven years ago,
and its replacement would cost more than the whole move. If we insulate the north side and keep only citrus there,
an electric heater with a thermostat should be enough for the coldest weeks.
"#;

const CHINESE: &str = r#"# 搬迁温室

旧温室离围墙太近，从十月到次年三月，每天的日照不到两个小时。春天时我们商定把它往东南方向移 4.5 米，
那里地面平整，菜园的排水沟也正好经过。拆卸之前，必须有人给每一块玻璃拍照：一共 214 块，其中大约三十块已经开裂，
需要换成同样的 3 毫米园艺玻璃（见 [[供应商]]）。

- [ ] 询问是否需要许可；办公室在 2026-02-11 说“大概不用”。
- [x] 测量基础：6,200 × 3,050 毫米，冻土深度 80 厘米。
- [ ] 决定那株葡萄怎么办，它的年纪比房子还大。

供暖的问题还没有人能回答。管道完好，但锅炉上一次检修是在十一年前，更换它的费用比整个搬迁还高。
如果给北侧加上保温层，只在那里养柑橘，那么在最冷的几个星期里，一台带温控的电暖器应该就够了。
另外，雨水收集桶目前放在旧址的西侧，搬迁以后要重新接管，否则夏天浇水又得从屋里拉水管。
"#;

/// Counted with `o200k_base`, Qwen 3 and DeepSeek V3, in this order.
const COUNTED: [(&str, [u64; 3]); 2] = [(ENGLISH, [238, 250, 238]), (CHINESE, [310, 281, 242])];

#[test]
fn a_page_is_estimated_within_fifteen_in_a_hundred_in_both_languages() {
    for (text, counts) in COUNTED {
        let estimated = estimate(text);
        for counted in counts {
            let off = estimated.abs_diff(counted) * 100;
            assert!(off <= counted * 15, "{estimated} against {counted}: {text}");
        }
    }
}

#[test]
fn long_runs_and_nothing_are_estimated_too() {
    assert_eq!(estimate(""), 0);
    assert_eq!(estimate("word"), 2);
    assert!(estimate(&"a".repeat(10_000)) > 1_000);
    assert!(estimate(&" \n".repeat(10_000)) < 20_001);
}

#[test]
fn thoughts_count_where_they_are_sent_back() {
    let said = |calls| ChatMessage::Assistant {
        text: "Yes.".into(),
        reasoning: Some(Reasoning { text: ENGLISH.into(), ..Reasoning::default() }),
        calls,
    };
    let call = ToolCall { id: "1".into(), name: "read".into(), arguments: "{}".into(), signature: None };
    assert!(estimate_message(&said(vec![])) < 10);
    assert!(estimate_message(&said(vec![call])) > estimate(ENGLISH));
}
