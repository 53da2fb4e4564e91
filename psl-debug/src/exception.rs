//! The faults of a run at which the debugger can stop.

/// A fault of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// A repeat block that never ends, at the end of the record.
    EndlessBlock,
    /// A symbol that differs from the gold, when it is generated, or the end of a continuation that is shorter than the
    /// gold.
    WrongSymbol,
    /// A cell that attends to a cell on its right.
    LooksAhead,
    /// The first moment at which two machines disagree.
    MachinesDisagree,
}

/// The name and the texts of a fault.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The fault's name in the console and for editors.
    pub name: &'static str,
    /// The fault's title in editors.
    pub label: &'static str,
    /// A description for editors.
    pub description: &'static str,
    /// A noun phrase for the list of breakpoints.
    pub about: &'static str,
    /// Whether editors stop at it by default.
    pub default: bool,
}

impl Exception {
    /// The faults, in the order of lists.
    pub const ALL: [Self; 4] = [Self::EndlessBlock, Self::WrongSymbol, Self::LooksAhead, Self::MachinesDisagree];

    /// The fault with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|exception| exception.fault().name == name)
    }

    /// The name and the texts of the fault.
    pub fn fault(self) -> Fault {
        match self {
            Self::EndlessBlock => Fault {
                name: "endless",
                label: "Endless block",
                description: "A repeat block never ends, or takes too many passes.",
                about: "a repeat block that does not end",
                default: true,
            },
            Self::WrongSymbol => Fault {
                name: "wrong",
                label: "Wrong symbol",
                description: "The symbol differs from the one that the test expects, or the continuation is too short.",
                about: "a continuation that differs from the test's",
                default: true,
            },
            Self::LooksAhead => Fault {
                name: "ahead",
                label: "Look ahead",
                description: "The cell attends to a cell on its right.",
                about: "a cell that attends to its right",
                default: false,
            },
            Self::MachinesDisagree => Fault {
                name: "disagree",
                label: "Machines disagree",
                description: "The second machine computes something else.",
                about: "machines that disagree",
                default: true,
            },
        }
    }
}
