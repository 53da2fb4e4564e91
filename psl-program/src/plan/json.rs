//! A plan as JSON.

use psl_syntax::{
    program::{Cell, Program},
    schedule::{Dependence, Order, Usage},
};
use serde_json::{Value, json};

use super::named_layers::Plan;

impl Plan {
    /// The plan as JSON. Productions, layers and heads are numbered from 1.
    pub fn to_json(&self, program: &Program) -> Value {
        let layers = self.schedule.layers.iter().map(|heads| {
            let heads = heads.iter().filter_map(|index| {
                let named = self.productions.get(*index)?;
                Some(json!({
                    "production": index + 1,
                    "name": named.name,
                    "label": named.label,
                    "line": named.line,
                    "writes": named.writes,
                }))
            });
            json!({ "heads": heads.collect::<Vec<_>>() })
        });
        let repeats = self.repeats.iter().map(|repeat| {
            json!({
                "name": repeat.name,
                "first_layer": repeat.layers.start + 1,
                "last_layer": repeat.layers.end,
                "nesting": repeat.nesting,
            })
        });
        let path = self.schedule.critical_path.iter().map(|production| {
            let wait = self.schedule.waits.get(*production).and_then(Option::as_ref);
            let order = wait.map(|wait| match wait.order {
                Order::After => "after",
                Order::NotBefore => "not before",
            });
            let registers = wait.map_or_else(Vec::new, |wait| uses(program, &wait.reasons));
            json!({ "production": production + 1, "order": order, "registers": registers })
        });
        let flows = self.flows(program).into_iter().map(|flow| {
            let register = &program.registers[flow.register].name;
            json!({ "register": register, "from": flow.from + 1, "to": flow.to + 1 })
        });
        json!({
            "productions": self.productions.len(),
            "depth": self.schedule.depth(),
            "width": self.schedule.width(),
            "fewest": self.schedule.fewest,
            "max_heads": self.max_heads,
            "layers": layers.collect::<Vec<_>>(),
            "repeats": repeats.collect::<Vec<_>>(),
            "critical_path": path.collect::<Vec<_>>(),
            "flows": flows.collect::<Vec<_>>(),
        })
    }
}

fn uses(program: &Program, dependences: &[Dependence]) -> Vec<Value> {
    let one = |it: &Dependence| {
        let usage = match it.usage {
            Usage::Reads(Cell::Source) => "read at n",
            Usage::Reads(Cell::Updated) => "read at N",
            Usage::Writes => "written",
        };
        json!({ "register": &program.registers[it.register].name, "use": usage })
    };
    dependences.iter().map(one).collect()
}
