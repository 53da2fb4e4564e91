//! Messages to users.

/// A message to a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The text.
    pub text: String,
    /// Whether the message reports success.
    pub success: bool,
}
