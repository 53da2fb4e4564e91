//! Messages to users.

/// A message to a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The text.
    pub text: String,
    /// Whether it reports success.
    pub success: bool,
}
