//! What the app and the supervisor of one command tell each other over their socket: frames of a length
//! of four bytes, highest first, and JSON. An empty frame to the supervisor asks it to end everything; so
//! does the end of the stream. The first frame to it is the [`Order`](crate::group::Order).

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::Obstacle;

/// The stop frame, whole.
pub(crate) const STOP: [u8; 4] = [0; 4];

/// Longer than any system takes arguments and variables.
const LONGEST: usize = 8 * 1024 * 1024;

/// Frames from the supervisor, in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Report {
    /// From here on the command may have run.
    Taken,
    /// It did not, and nothing else does.
    Failed(Obstacle),
    /// The shell has ended; what it left behind may still run.
    Ended(End),
    /// Nothing runs any more but `survivors`.
    Gone { survivors: u32 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum End {
    Exited(i32),
    Signalled(i32),
}

pub(crate) fn send(to: &mut impl Write, frame: &impl Serialize) -> io::Result<()> {
    let body = serde_json::to_vec(frame)?;
    let length = u32::try_from(body.len()).map_err(io::Error::other)?;
    to.write_all(&[&length.to_be_bytes(), body.as_slice()].concat())
}

pub(crate) fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<T> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = u32::from_be_bytes(length) as usize;
    if length > LONGEST {
        return Err(io::Error::other("a frame is too long"));
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    Ok(serde_json::from_slice(&body)?)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    use super::*;
    use crate::group::Order;

    #[test]
    fn names_that_are_no_text_travel_whole() {
        let folder = OsString::from_vec(b"caf\xE9".to_vec());
        let order = Order {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into()],
            folder: folder.clone(),
            environment: vec![("A".into(), folder.clone())],
            writable: None,
        };
        let mut pipe = Vec::new();
        send(&mut pipe, &order).unwrap();
        let back: Order = receive(&mut pipe.as_slice()).unwrap();
        assert_eq!((&back.folder, &back.environment[0].1), (&folder, &folder));
        assert!(receive::<Order>(&mut &pipe[..pipe.len() - 1]).is_err());
        assert!(receive::<Order>(&mut [255, 255, 255, 255].as_slice()).is_err());
    }
}
