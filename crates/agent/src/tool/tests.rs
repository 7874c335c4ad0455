use serde_json::json;

use super::*;

/// Whether the tool called `name` is offered with `field`, and, where given, with `value` for it.
fn offered(level: Level, plan: bool, web: bool, name: &str, field: &str, value: Option<&str>) -> bool {
    let lacks = |action: &Action| action.is_web() && !web;
    let specs = specs(level, plan, &Rules::default(), lacks);
    let Some(spec) = specs.iter().find(|spec| spec.name == name) else { return false };
    let field = &spec.parameters["properties"][field];
    match value {
        Some(value) => field["enum"].as_array().is_some_and(|values| values.contains(&json!(value))),
        None => !field.is_null(),
    }
}

#[test]
fn what_a_level_denies_is_not_offered_down_to_the_parameter() {
    for (level, plan, web, expected) in [
        (Level::L1, false, true, false),
        (Level::L2, false, true, false),
        (Level::L3, false, true, true),
        (Level::L4, false, true, true),
        (Level::L2, true, true, false),
        (Level::L3, true, true, true),
        (Level::L4, false, false, false),
    ] {
        let case = format!("{level} plan {plan} web {web}");
        assert_eq!(offered(level, plan, web, "read", "url", None), expected, "{case}");
        assert_eq!(offered(level, plan, web, "read", "headers", None), expected, "{case}");
        assert_eq!(offered(level, plan, web, "search", "searchType", None), expected, "{case}");
        assert_eq!(offered(level, plan, web, "search", "target", Some("web")), expected, "{case}");
        assert!(offered(level, plan, web, "read", "path", None), "{case}");
        assert!(offered(level, plan, web, "search", "target", Some("text")), "{case}");
    }
}
