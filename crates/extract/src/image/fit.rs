//! Pictures as a model is sent them: the right side up, and no larger than it takes them.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType as Filtering, PngEncoder};
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageError, ImageFormat, ImageReader, RgbImage};
use orangery_domain::Warning;

use crate::document::code;

/// How large a picture may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    /// Pixels of the longer edge.
    pub edge: u32,
    /// Bytes, as they travel.
    pub most: usize,
}

/// A picture that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted {
    pub media_type: &'static str,
    pub width: u32,
    pub height: u32,
    pub bytes: Vec<u8>,
}

/// Bytes that the pixels of a picture may take while it is made smaller.
const MEMORY: u64 = 512 << 20;
/// Pixels of an edge that is still decoded.
const LONGEST: u32 = 40_000;
/// Qualities of JPEG, tried in this order until the bytes fit.
const QUALITIES: [u8; 3] = [85, 70, 50];

/// Makes a picture fit; what fits is handed on byte for byte.
///
/// # Errors
/// A code of [`code`]: `notThisKind` for what is no PNG, JPEG, WebP, GIF or BMP, `tooLarge` for more pixels
/// than memory, `damaged`.
pub fn fit(bytes: &[u8], fit: Fit) -> Result<Fitted, Warning> {
    let unknown = || Warning::new(code::NOT_THIS_KIND, "");
    let format = image::guess_format(bytes).map_err(|_| unknown())?;
    let (width, height) = super::pixels(bytes).ok_or_else(|| Warning::new(code::DAMAGED, ""))?;
    let orientation = super::orientation(bytes);
    let fits = bytes.len() <= fit.most && width.max(height) <= fit.edge && orientation == 1;
    if fits && let Some(media_type) = media_type(format) {
        return Ok(Fitted { media_type, width, height, bytes: bytes.to_vec() });
    }
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MEMORY);
    (limits.max_image_width, limits.max_image_height) = (Some(LONGEST), Some(LONGEST));
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut picture = reader.decode().map_err(|error| match error {
        ImageError::Unsupported(_) => unknown(),
        ImageError::Limits(_) => Warning::new(code::TOO_LARGE, ""),
        _ => Warning::new(code::DAMAGED, ""),
    })?;
    if let Some(orientation) = Orientation::from_exif(orientation) {
        picture.apply_orientation(orientation);
    }
    // Photos stay photos: a drawing of sharp lines is smaller and truer as PNG.
    encoded(picture, fit, format != ImageFormat::Jpeg)
}

/// What models take as it is.
fn media_type(format: ImageFormat) -> Option<&'static str> {
    match format {
        ImageFormat::Png => Some("image/png"),
        ImageFormat::Jpeg => Some("image/jpeg"),
        ImageFormat::WebP => Some("image/webp"),
        ImageFormat::Gif => Some("image/gif"),
        _ => None,
    }
}

fn encoded(picture: DynamicImage, fit: Fit, lines: bool) -> Result<Fitted, Warning> {
    let mut edge = fit.edge.max(1);
    let mut picture = shrunk(picture, edge);
    if lines && let Some(fitted) = png(&picture).filter(|fitted| fitted.bytes.len() <= fit.most) {
        return Ok(fitted);
    }
    loop {
        let opaque = on_white(&picture);
        for quality in QUALITIES {
            match jpeg(&opaque, quality) {
                Some(fitted) if fitted.bytes.len() <= fit.most => return Ok(fitted),
                _ => {}
            }
        }
        edge /= 2;
        if edge == 0 {
            return Err(Warning::new(code::TOO_LARGE, ""));
        }
        picture = shrunk(picture, edge);
    }
}

fn shrunk(picture: DynamicImage, edge: u32) -> DynamicImage {
    if picture.width().max(picture.height()) <= edge {
        return picture;
    }
    picture.resize(edge, edge, FilterType::Triangle)
}

fn png(picture: &DynamicImage) -> Option<Fitted> {
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, Filtering::Adaptive);
    let (width, height) = (picture.width(), picture.height());
    if picture.color().has_alpha() {
        picture.to_rgba8().write_with_encoder(encoder).ok()?;
    } else {
        picture.to_rgb8().write_with_encoder(encoder).ok()?;
    }
    Some(Fitted { media_type: "image/png", width, height, bytes })
}

fn jpeg(picture: &RgbImage, quality: u8) -> Option<Fitted> {
    let mut bytes = Vec::new();
    picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, quality)).ok()?;
    Some(Fitted { media_type: "image/jpeg", width: picture.width(), height: picture.height(), bytes })
}

/// What shows through is white, as on a page.
fn on_white(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let mut opaque = RgbImage::new(picture.width(), picture.height());
    for (to, from) in opaque.pixels_mut().zip(picture.to_rgba8().pixels()) {
        let [.., alpha] = from.0;
        for (to, from) in to.0.iter_mut().zip(from.0) {
            let (alpha, from) = (u32::from(alpha), u32::from(from));
            *to = ((from * alpha + 255 * (255 - alpha) + 127) / 255) as u8;
        }
    }
    opaque
}

#[cfg(test)]
mod tests {
    use image::{Rgb, Rgba, RgbaImage};

    use super::*;

    const FIT: Fit = Fit { edge: 64, most: 20_000 };

    /// Left half red, right half blue, as PNG.
    fn halves(width: u32, height: u32) -> Vec<u8> {
        let picture =
            RgbImage::from_fn(
                width,
                height,
                |x, _| {
                    if x < width / 2 { Rgb([255, 0, 0]) } else { Rgb([0, 0, 255]) }
                },
            );
        png(&picture.into()).unwrap().bytes
    }

    fn decoded(fitted: &Fitted) -> RgbImage {
        image::load_from_memory(&fitted.bytes).unwrap().to_rgb8()
    }

    #[test]
    fn what_fits_travels_as_it_is_and_what_is_larger_is_made_smaller() {
        let small = halves(60, 30);
        let fitted = fit(&small, FIT).unwrap();
        assert_eq!((fitted.media_type, &fitted.bytes), ("image/png", &small));
        let fitted = fit(&halves(600, 300), FIT).unwrap();
        assert_eq!((fitted.width, fitted.height), (64, 32));
        let picture = decoded(&fitted);
        assert_eq!((picture.get_pixel(3, 5).0, picture.get_pixel(60, 5).0), ([255, 0, 0], [0, 0, 255]));
    }

    #[test]
    fn many_bytes_become_few() {
        // Noise does not compress: only quality and size are left to give.
        let mut state = 1_u32;
        let noise = RgbaImage::from_fn(64, 64, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [a, b, c, _] = state.to_be_bytes();
            Rgba([a, b, c, 255])
        });
        let bytes = png(&noise.into()).unwrap().bytes;
        let small = Fit { most: 1_500, ..FIT };
        assert!(bytes.len() > small.most);
        let fitted = fit(&bytes, small).unwrap();
        assert_eq!(fitted.media_type, "image/jpeg");
        assert!(fitted.bytes.len() <= small.most && fitted.width < 64, "{}", fitted.width);
    }

    #[test]
    fn what_shows_through_is_white_where_it_must_be_opaque() {
        let clear = RgbaImage::from_pixel(2, 2, Rgba([0, 0, 0, 0]));
        assert_eq!(on_white(&clear.into()).get_pixel(0, 0).0, [255, 255, 255]);
    }

    #[test]
    fn a_photo_that_lies_on_its_side_is_stood_up() {
        let flat = RgbImage::from_fn(8, 4, |x, _| if x < 4 { Rgb([255, 0, 0]) } else { Rgb([0, 0, 255]) });
        let plain = jpeg(&flat, 100).unwrap().bytes;
        // Orientation 6: the first row is the right side.
        let exif =
            b"\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        let bytes = [&plain[..2], exif, &plain[2..]].concat();
        let fitted = fit(&bytes, FIT).unwrap();
        assert_eq!((fitted.width, fitted.height), (4, 8));
        let picture = decoded(&fitted);
        let [red, _, blue] = picture.get_pixel(1, 0).0;
        assert!(red > 200 && blue < 60, "{red} {blue}");
    }

    #[test]
    fn what_is_no_picture_says_so() {
        for (bytes, expected) in [
            (&b"<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'/>"[..], code::NOT_THIS_KIND),
            (b"", code::NOT_THIS_KIND),
            (b"\x89PNG\r\n\x1a\n", code::DAMAGED),
        ] {
            assert_eq!(fit(bytes, FIT).unwrap_err().code, expected);
        }
        let whole = halves(600, 300);
        assert_eq!(fit(&whole[..whole.len() / 2], FIT).unwrap_err().code, code::DAMAGED);
        // More pixels than memory, of which the file says nothing but the number.
        let mut huge = halves(4, 4);
        huge[16..24].copy_from_slice(&[0, 0, 0x9c, 0x40, 0, 0, 0x9c, 0x40]);
        assert!(fit(&huge, FIT).is_err());
    }
}
