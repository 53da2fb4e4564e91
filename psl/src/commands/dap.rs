//! `psl dap`: serves a debugger's client.

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
};

use psl_dap::{accept, serve};

use super::examples::examples;
use crate::{failure::Failure, output::stdio::print_to_stderr};

/// The arguments of `psl dap`.
#[derive(clap::Args)]
#[command(after_help = examples(&[("psl dap", "an editor starts it like this")]))]
pub struct Args {
    /// Wait for one client on this port of this machine, instead of standard input and output; 0 takes a free port.
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

/// Serves one client.
pub fn run(args: &Args) -> Result<bool, Failure> {
    let Some(port) = args.port else {
        serve(io::stdin(), Box::new(io::stdout()));
        return Ok(true);
    };
    let failed = |error: io::Error| Failure::Message(format!("cannot wait on port {port}: {error}"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
    print_to_stderr(format_args!("waiting for a client on {}", listener.local_addr().map_err(failed)?));
    let (input, output) = accept(listener, |message| print_to_stderr(message)).map_err(failed)?;
    serve(input, Box::new(output));
    Ok(true)
}
