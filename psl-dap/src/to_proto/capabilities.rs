//! The capabilities of the adapter.

use psl_debug::{Exception, Fault};
use serde_json::{Value, json};

use crate::source::ALGORITHM;

/// The capabilities of the adapter.
pub fn capabilities() -> Value {
    let filters = Exception::ALL.map(|exception| {
        let Fault { name, label, description, default, .. } = exception.fault();
        json!({ "filter": name, "label": label, "description": description, "default": default,
                "supportsCondition": true })
    });
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsDataBreakpoints": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsExceptionFilterOptions": true,
        "supportsExceptionInfoRequest": true,
        "exceptionBreakpointFilters": filters,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsGotoTargetsRequest": true,
        "supportsRestartFrame": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsSetVariable": true,
        "supportsSetExpression": true,
        "supportsCompletionsRequest": true,
        "supportedChecksumAlgorithms": [ALGORITHM],
    })
}
