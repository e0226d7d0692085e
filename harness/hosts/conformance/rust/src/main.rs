//! FMUs in fmi-rs, an importer in Rust:
//!
//!     importer VARIABLE VALUE X.fmu...
//!
//! VALUE is what VARIABLE must have, bit by bit, after 100 communication steps of 1 ms. Prints a line for each check.

#![allow(clippy::arc_with_non_send_sync)] // fmi-rs takes recorders as Arc

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use fmi_rs::fmi2::types::fmi2Status;
use fmi_rs::fmi3::types::fmi3Status;
use fmi_rs::model_description::{ValidationError, fmi2 as description2, fmi3 as description3};
use fmi_rs::sim::solver::ForwardEulerFactory;
use fmi_rs::sim::{fmi2 as sim2, fmi3 as sim3};
use fmi_rs::{fmi2, fmi3};

const STEP: f64 = 0.001;
const STEPS: usize = 100;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// An unpacked FMU of FMI 2.0 or 3.0.
trait Fmu {
    /// What fmi-rs finds wrong in the model description.
    fn problems(&self) -> Vec<ValidationError>;
    /// The variable at the end of a run by fmi-rs, which writes what the FMU logs to a file.
    fn run(&self, kind: Kind, method: Option<&str>, variable: &str, log: &Path) -> Outcome<f64>;
    /// The variable after the last step, and again after the second half of the steps from a saved state.
    fn twice(&self, variable: &str) -> Outcome<(f64, f64)>;
    fn has_model_exchange(&self) -> bool;
}

#[derive(Clone, Copy)]
enum Kind {
    CoSimulation,
    ModelExchange,
}

struct Two {
    builder: fmi2::builder::FMU2Builder,
    description: Arc<description2::ModelDescription>,
}

struct Three {
    builder: fmi3::builder::FMU3Builder,
    description: Arc<description3::ModelDescription>,
}

fn missing(variable: &str) -> String {
    format!("the FMU has no variable {variable}")
}

impl Fmu for Two {
    fn problems(&self) -> Vec<ValidationError> {
        self.description.validate()
    }

    fn has_model_exchange(&self) -> bool {
        self.description.modelExchange.is_some()
    }

    fn run(&self, kind: Kind, method: Option<&str>, variable: &str, log: &Path) -> Outcome<f64> {
        let index = self.description.modelVariables.iter().position(|v| v.name == variable).ok_or(missing(variable))?;
        let settings = sim2::SimulationSettings {
            unzipdir: self.builder.unzipdir.path().to_path_buf(),
            model_description: self.description.clone(),
            start_time: 0.0,
            stop_time: STEP * STEPS as f64,
            logging_on: false,
            set_stop_time: true,
            output_interval: STEP,
            log_time_scale: false,
            tolerance: 1e-9,
            set_tolerance: false,
            start_values: method.map(|m| ("solver.method".to_string(), m.to_string())).into_iter().collect(),
            log_fmi_calls: false,
            input_file: None,
            early_return_allowed: false,
            event_mode_used: false,
            log_file: Some(log.to_path_buf()),
            initial_fmu_state_file: None,
            final_fmu_state_file: None,
        };
        let recorder =
            Arc::new(sim2::recorder::Recorder::new(sim2::Trajectories::new(self.description.clone(), vec![index])));
        match kind {
            Kind::CoSimulation => sim2::cs::simulate(&settings, None, recorder.clone())?,
            Kind::ModelExchange => {
                sim2::me::simulate(&settings, &ForwardEulerFactory { fixed_step_size: STEP }, None, recorder.clone())?
            }
        }
        let trajectories = recorder.trajectories.borrow();
        Ok(trajectories.rows.last().and_then(|row| row[0].to_f64()).ok_or("no row was recorded")?)
    }

    fn twice(&self, variable: &str) -> Outcome<(f64, f64)> {
        let ok = |status: fmi2Status| {
            if matches!(status, fmi2Status::Ok) { Ok(()) } else { Err(format!("status {status:?}")) }
        };
        let reference = self
            .description
            .modelVariables
            .iter()
            .find(|v| v.name == variable)
            .ok_or(missing(variable))?
            .valueReference;
        let fmu = self.builder.instantiate_cs("twice")?;
        ok(fmu.setupExperiment(None, 0.0, None))?;
        ok(fmu.enterInitializationMode())?;
        ok(fmu.exitInitializationMode())?;
        let step = |n: usize| ok(fmu.doStep(n as f64 * STEP, STEP, 0));
        let get = || -> Outcome<f64> {
            let mut values = [0.0];
            ok(fmu.getReal(&[reference], &mut values))?;
            Ok(values[0])
        };
        (0..STEPS / 2).try_for_each(step)?;
        let mut state = std::ptr::null_mut();
        ok(fmu.getFMUstate(&mut state))?;
        (STEPS / 2..STEPS).try_for_each(step)?;
        let first = get()?;
        ok(fmu.setFMUstate(state))?;
        ok(fmu.freeFMUstate(&mut state))?;
        (STEPS / 2..STEPS).try_for_each(step)?;
        let second = get()?;
        ok(fmu.terminate())?;
        Ok((first, second))
    }
}

impl Fmu for Three {
    fn problems(&self) -> Vec<ValidationError> {
        self.description.validate()
    }

    fn has_model_exchange(&self) -> bool {
        self.description.modelExchange.is_some()
    }

    fn run(&self, kind: Kind, method: Option<&str>, variable: &str, log: &Path) -> Outcome<f64> {
        let index = self.description.modelVariables.iter().position(|v| v.name == variable).ok_or(missing(variable))?;
        let settings = sim3::SimulationSettings {
            unzipdir: self.builder.unzipdir.path().to_path_buf(),
            model_description: self.description.clone(),
            library_kind: fmi3::LibraryKind::Native,
            enable_dae: false,
            start_time: 0.0,
            stop_time: STEP * STEPS as f64,
            visible: false,
            logging_on: false,
            set_stop_time: true,
            output_interval: STEP,
            log_time_scale: false,
            tolerance: 1e-9,
            set_tolerance: false,
            start_values: method.map(|m| ("solver.method".to_string(), m.to_string())).into_iter().collect(),
            log_fmi_calls: false,
            intermediate_update: false,
            input_file: None,
            early_return_allowed: false,
            event_mode_used: false,
            log_file: Some(log.to_path_buf()),
            initial_fmu_state_file: None,
            final_fmu_state_file: None,
        };
        let recorder =
            Arc::new(sim3::recorder::Recorder::new(sim3::Trajectories::new(self.description.clone(), vec![index])));
        match kind {
            Kind::CoSimulation => sim3::cs::simulate(&settings, None, recorder.clone())?,
            Kind::ModelExchange => {
                sim3::me::simulate(&settings, &ForwardEulerFactory { fixed_step_size: STEP }, None, recorder.clone())?
            }
        }
        let trajectories = recorder.trajectories.borrow();
        match trajectories.rows.last().map(|row| &row[0]) {
            Some(sim3::VariableValue::Float64(values)) => Ok(values[0]),
            _ => Err("no Float64 was recorded".into()),
        }
    }

    fn twice(&self, variable: &str) -> Outcome<(f64, f64)> {
        let ok = |status: fmi3Status| {
            if matches!(status, fmi3Status::Ok) { Ok(()) } else { Err(format!("status {status:?}")) }
        };
        let reference = self
            .description
            .modelVariables
            .iter()
            .find(|v| v.name == variable)
            .ok_or(missing(variable))?
            .valueReference;
        let fmu = self.builder.instantiate_cs("twice")?;
        ok(fmu.enterInitializationMode(None, 0.0, None))?;
        ok(fmu.exitInitializationMode())?;
        if self.builder.eventModeUsed {
            let (mut again, mut terminate, mut nominals, mut values, mut time) = (false, false, false, false, None);
            ok(fmu.updateDiscreteStates(&mut again, &mut terminate, &mut nominals, &mut values, &mut time))?;
            ok(fmu.enterStepMode())?;
        }
        let step = |n: usize| {
            let (mut event, mut terminate, mut early, mut last) = (false, false, false, 0.0);
            ok(fmu.doStep(n as f64 * STEP, STEP, false, &mut event, &mut terminate, &mut early, &mut last))
        };
        let get = || -> Outcome<f64> {
            let mut values = [0.0];
            ok(fmu.getFloat64(&[reference], &mut values))?;
            Ok(values[0])
        };
        (0..STEPS / 2).try_for_each(step)?;
        let mut state = std::ptr::null_mut();
        ok(fmu.getFMUState(&mut state))?;
        (STEPS / 2..STEPS).try_for_each(step)?;
        let first = get()?;
        ok(fmu.setFMUState(state))?;
        ok(fmu.freeFMUState(&mut state))?;
        (STEPS / 2..STEPS).try_for_each(step)?;
        let second = get()?;
        ok(fmu.terminate())?;
        Ok((first, second))
    }
}

fn open(path: &Path) -> Outcome<Box<dyn Fmu>> {
    if let Ok(builder) = fmi2::builder::FMU2Builder::new(&path) {
        let description =
            Arc::new(description2::ModelDescription::from_path(&builder.unzipdir.path().join("modelDescription.xml"))?);
        return Ok(Box::new(Two { builder, description }));
    }
    let builder = fmi3::builder::FMU3Builder::new(&path)?;
    let description =
        Arc::new(description3::ModelDescription::from_path(&builder.unzipdir.path().join("modelDescription.xml"))?);
    Ok(Box::new(Three { builder, description }))
}

/// Makes all checks of one FMU and hands each to note.
fn check(path: &Path, variable: &str, value: f64, note: &mut dyn FnMut(bool, String)) -> Outcome<()> {
    let fmu = open(path)?;
    let problems: Vec<String> = fmu.problems().into_iter().map(|p| p.message).collect();
    note(problems.is_empty(), format!("the model description is valid {problems:?}"));
    let folder = tempfile::tempdir()?;
    let log = folder.path().join("log");
    let mut messages = String::new();
    let mut run = |kind: Kind, method: Option<&str>| -> Outcome<f64> {
        let end = fmu.run(kind, method, variable, &log)?;
        messages += &std::fs::read_to_string(&log)?;
        Ok(end)
    };
    let end = run(Kind::CoSimulation, None)?;
    note(
        end.to_bits() == value.to_bits(),
        format!("co-simulation: {variable} = {end} after {STEPS} steps, {value} outside of Rust"),
    );
    let (first, second) = fmu.twice(variable)?;
    note(
        first.to_bits() == value.to_bits() && second.to_bits() == value.to_bits(),
        format!("saved state: {variable} = {first}, again {second}"),
    );
    if fmu.has_model_exchange() {
        let ours = run(Kind::CoSimulation, Some("euler"))?;
        let theirs = run(Kind::ModelExchange, None)?;
        // Both add the same increments, up to rounding.
        note(
            (theirs - ours).abs() <= 1e-12 * ours.abs(),
            format!("model exchange by explicit Euler: {variable} = {theirs}, as co-simulation {ours}"),
        );
    }
    note(messages.is_empty(), format!("no message is logged {messages}"));
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = arguments.get(1).and_then(|text| text.parse().ok());
    let (Some(value), true) = (value, arguments.len() > 2) else {
        eprintln!("usage: importer VARIABLE VALUE X.fmu...");
        std::process::exit(2);
    };
    let mut failed = false;
    for path in &arguments[2..] {
        let mut note = |good: bool, text: String| {
            println!("{}  fmi-rs, {path}: {text}", if good { "passed" } else { "FAILED" });
            failed = failed || !good;
        };
        if let Err(error) = check(Path::new(path), &arguments[0], value, &mut note) {
            note(false, error.to_string());
        }
    }
    std::process::exit(failed.into());
}
