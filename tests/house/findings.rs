//! The findings of a rule, and what is exempt from it.

/// Fails if anything was found, with one line for each finding and what to do instead.
#[track_caller]
pub fn none(found: &[String], instead: &str) {
    assert!(found.is_empty(), "\n{}\n\n{instead}\n", found.join("\n"));
}

/// Fails if anything was found that is not exempt, or if an exemption exempts nothing. In an exemption, `*` stands for
/// any text.
#[track_caller]
pub fn none_but(found: &[String], exempt: &[impl AsRef<str>], instead: &str) {
    let is_exempt = |finding: &&String| exempt.iter().any(|exemption| exempts(exemption.as_ref(), finding));
    none(&found.iter().filter(|finding| !is_exempt(finding)).cloned().collect::<Vec<_>>(), instead);
    each_exempts(exempt, found);
}

/// Fails if an exemption exempts nothing.
#[track_caller]
pub fn each_exempts(exempt: &[impl AsRef<str>], found: &[String]) {
    let exempt = exempt.iter().map(AsRef::as_ref);
    let stale = exempt.filter(|exemption| !found.iter().any(|finding| exempts(exemption, finding)));
    none(&stale.map(str::to_owned).collect::<Vec<_>>(), "These exemptions exempt nothing: remove them.");
}

/// Whether an exemption covers a finding.
pub fn exempts(exemption: &str, finding: &str) -> bool {
    match exemption.split_once('*') {
        Some((start, end)) => finding.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => exemption == finding,
    }
}

#[test]
fn an_exemption_covers_findings_and_exempts_something() {
    let found = ["a/b.rs:1: std::io".to_owned(), "a/c.rs:2: std::fs".to_owned()];
    let check = |exempt: &[&str], passes: bool| {
        let result = std::panic::catch_unwind(|| none_but(&found, exempt, "do it otherwise"));
        assert_eq!(result.is_ok(), passes, "{exempt:?}");
    };
    check(&["a/b.rs*std::io", "a/c.rs:2: std::fs"], true);
    check(&["a/*"], true);
    check(&["a/b.rs*"], false);
    check(&["a/*", "d/*"], false);
    check(&["a/b.rs*", "a/c.rs*std::io"], false);
}
