//! A module for Redis or Valkey that saves Bloom filters as valkey-bloom does. It is not
//! valkey-bloom: the filters come from the crate that valkey-bloom uses (bloomfilter 3.0.1), and the
//! server saves and restores the data type, but the commands below and the order of the fields in
//! `save` are written here, after what valkey-bloom does.
//!
//!     BF.RESERVE key error capacity [NONSCALING | EXPANSION n] [SEED 64-hexadecimal-digits]
//!     BF.MADD key item...
//!     BF.MEXISTS key item...
//!     BF.INFO key
//!
//! Compile it with the crate type cdylib, and with panic=abort because no panic may enter the server.

use bloomfilter::Bloom;
use std::ffi::CStr;
use std::os::raw::{c_char, c_int, c_longlong, c_void};
use std::ptr::{null, null_mut};

/// The seed of valkey-bloom if its option bf.bloom-use-random-seed is off.
const FIXED_SEED: [u8; 32] = [
    0x59, 0x0f, 0xf5, 0x22, 0xea, 0x78, 0x11, 0xda, 0xa7, 0x14, 0xd8, 0x09, 0x3b, 0x3e, 0x7b, 0xd9,
    0x1d, 0x89, 0x8a, 0x73, 0x3e, 0x98, 0x88, 0x87, 0x30, 0x7f, 0x97, 0xcd, 0x28, 0x07, 0x33, 0x83,
];
const TIGHTENING: f64 = 0.5;
const ENCODING: c_int = 1;

const OK: c_int = 0;
const ERR: c_int = 1;
const READ: c_int = 1;
const WRITE: c_int = 2;

type Pointer = *mut c_void;
type Command = unsafe extern "C" fn(Pointer, *mut Pointer, c_int) -> c_int;

/// The functions of the server's module API that this module calls.
macro_rules! api {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        #[allow(non_snake_case)]
        struct Api { $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)* }

        impl Api {
            /// The server puts the function that looks others up at the beginning of its context.
            unsafe fn get(context: Pointer) -> Option<Api> {
                type Get = unsafe extern "C" fn(*const c_char, *mut Pointer) -> c_int;
                let get: Get = std::mem::transmute(*(context as *const Pointer));
                Some(Api { $($name: {
                    let mut function = null_mut();
                    let name = concat!("RedisModule_", stringify!($name), "\0");
                    if get(name.as_ptr().cast(), &mut function) != OK {
                        return None;
                    }
                    std::mem::transmute::<Pointer, unsafe extern "C" fn($($argument),*) $(-> $result)?>(function)
                },)* })
            }
        }
    };
}

api! {
    SetModuleAttribs: fn(Pointer, *const c_char, c_int, c_int);
    CreateCommand: fn(Pointer, *const c_char, Command, *const c_char, c_int, c_int, c_int) -> c_int;
    CreateDataType: fn(Pointer, *const c_char, c_int, *const Methods) -> Pointer;
    StringPtrLen: fn(Pointer, *mut usize) -> *const u8;
    OpenKey: fn(Pointer, Pointer, c_int) -> Pointer;
    CloseKey: fn(Pointer);
    KeyType: fn(Pointer) -> c_int;
    ModuleTypeGetType: fn(Pointer) -> Pointer;
    ModuleTypeGetValue: fn(Pointer) -> Pointer;
    ModuleTypeSetValue: fn(Pointer, Pointer, Pointer) -> c_int;
    ReplyWithArray: fn(Pointer, std::os::raw::c_long) -> c_int;
    ReplyWithError: fn(Pointer, *const c_char) -> c_int;
    ReplyWithLongLong: fn(Pointer, c_longlong) -> c_int;
    ReplyWithSimpleString: fn(Pointer, *const c_char) -> c_int;
    SaveUnsigned: fn(Pointer, u64);
    SaveDouble: fn(Pointer, f64);
    SaveStringBuffer: fn(Pointer, *const u8, usize);
    LoadUnsigned: fn(Pointer) -> u64;
    LoadDouble: fn(Pointer) -> f64;
    LoadStringBuffer: fn(Pointer, *mut usize) -> *mut u8;
    Free: fn(Pointer);
}

/// RedisModuleTypeMethods, version 1.
#[repr(C)]
struct Methods {
    version: u64,
    rdb_load: unsafe extern "C" fn(Pointer, c_int) -> Pointer,
    rdb_save: unsafe extern "C" fn(Pointer, Pointer),
    aof_rewrite: *const c_void,
    mem_usage: *const c_void,
    digest: *const c_void,
    free: unsafe extern "C" fn(Pointer),
}

static mut API: Option<Api> = None;
static mut TYPE: Pointer = null_mut();

/// Both are set by RedisModule_OnLoad() before the server calls anything else.
fn api() -> &'static Api {
    unsafe { (*std::ptr::addr_of!(API)).as_ref().unwrap() }
}

struct Layer {
    bloom: Bloom<[u8]>,
    items: u64,
    capacity: u64,
}

impl Layer {
    fn new(error: f64, capacity: u64, seed: &[u8; 32]) -> Result<Layer, &'static str> {
        let bloom = Bloom::new_for_fp_rate_with_seed(capacity as usize, error, seed)?;
        Ok(Layer {
            bloom,
            items: 0,
            capacity,
        })
    }
}

struct Chain {
    expansion: u64,
    error: f64,
    tightening: f64,
    random: bool,
    layers: Vec<Layer>,
}

impl Chain {
    fn contains(&self, item: &[u8]) -> bool {
        self.layers.iter().any(|layer| layer.bloom.check(item))
    }

    fn add(&mut self, item: &[u8]) -> Result<bool, &'static str> {
        if self.contains(item) {
            return Ok(false);
        }
        let depth = self.layers.len() as i32;
        let last = self.layers.last().ok_or("the filter has no layer")?;
        if last.items >= last.capacity {
            if self.expansion == 0 {
                return Err("non scaling filter is full");
            }
            let error = self.error * self.tightening.powi(depth);
            let layer = Layer::new(error, last.capacity * self.expansion, &last.bloom.seed())?;
            self.layers.push(layer);
        }
        let last = self.layers.last_mut().unwrap();
        last.bloom.set(item);
        last.items += 1;
        Ok(true)
    }
}

unsafe extern "C" fn save(io: Pointer, value: Pointer) {
    let chain = &*(value as *const Chain);
    (api().SaveUnsigned)(io, chain.layers.len() as u64);
    (api().SaveUnsigned)(io, chain.expansion);
    (api().SaveDouble)(io, chain.error);
    (api().SaveDouble)(io, chain.tightening);
    (api().SaveUnsigned)(io, chain.random as u64);
    for layer in &chain.layers {
        let blob = layer.bloom.to_bytes();
        (api().SaveStringBuffer)(io, blob.as_ptr(), blob.len());
        (api().SaveUnsigned)(io, layer.capacity);
    }
    // All layers but the last are full, so only the last one's items are saved.
    (api().SaveUnsigned)(io, chain.layers.last().map_or(0, |layer| layer.items));
}

unsafe extern "C" fn load(io: Pointer, encoding: c_int) -> Pointer {
    if encoding != ENCODING {
        return null_mut();
    }
    let count = (api().LoadUnsigned)(io);
    let mut chain = Chain {
        expansion: (api().LoadUnsigned)(io),
        error: (api().LoadDouble)(io),
        tightening: (api().LoadDouble)(io),
        random: (api().LoadUnsigned)(io) == 1,
        layers: Vec::new(),
    };
    for _ in 0..count {
        let mut length = 0;
        let buffer = (api().LoadStringBuffer)(io, &mut length);
        let blob = std::slice::from_raw_parts(buffer, length).to_vec();
        (api().Free)(buffer.cast());
        let capacity = (api().LoadUnsigned)(io);
        match Bloom::from_bytes(blob) {
            Ok(bloom) => chain.layers.push(Layer {
                bloom,
                items: capacity,
                capacity,
            }),
            Err(_) => return null_mut(),
        }
    }
    match chain.layers.last_mut() {
        Some(layer) => layer.items = (api().LoadUnsigned)(io),
        None => return null_mut(),
    }
    Box::into_raw(Box::new(chain)).cast()
}

unsafe extern "C" fn free(value: Pointer) {
    drop(Box::from_raw(value as *mut Chain));
}

unsafe fn arguments<'a>(argv: *mut Pointer, argc: c_int) -> Vec<&'a [u8]> {
    let strings = std::slice::from_raw_parts(argv, argc as usize).iter();
    strings
        .map(|&string| {
            let mut length = 0;
            let bytes = (api().StringPtrLen)(string, &mut length);
            std::slice::from_raw_parts(bytes, length)
        })
        .collect()
}

fn parse<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn parse_seed(text: &[u8]) -> Option<[u8; 32]> {
    let text = std::str::from_utf8(text).ok()?;
    let mut seed = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (i, byte) in seed.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).ok()?;
    }
    Some(seed)
}

fn new_chain(arguments: &[&[u8]]) -> Result<Chain, &'static str> {
    let usage = "usage: BF.RESERVE key error capacity [NONSCALING | EXPANSION n] [SEED digits]";
    let [_, _, error, capacity, options @ ..] = arguments else {
        return Err(usage);
    };
    let error: f64 = parse(error).ok_or(usage)?;
    let capacity: u64 = parse(capacity).ok_or(usage)?;
    if !(error > 0.0 && error < 1.0 && capacity > 0) {
        return Err("the error must be between 0 and 1, and the capacity at least 1");
    }
    let (mut expansion, mut seed) = (2, FIXED_SEED);
    let mut options = options.iter();
    while let Some(&option) = options.next() {
        match option {
            b"NONSCALING" => expansion = 0,
            b"EXPANSION" => expansion = options.next().and_then(|text| parse(text)).ok_or(usage)?,
            b"SEED" => {
                seed = options
                    .next()
                    .and_then(|text| parse_seed(text))
                    .ok_or(usage)?
            }
            _ => return Err(usage),
        }
    }
    let layers = vec![Layer::new(error, capacity, &seed)?];
    Ok(Chain {
        expansion,
        error,
        tightening: TIGHTENING,
        random: seed != FIXED_SEED,
        layers,
    })
}

unsafe fn fail(context: Pointer, message: &str) -> c_int {
    (api().ReplyWithError)(context, format!("ERR {message}\0").as_ptr().cast())
}

unsafe extern "C" fn reserve(context: Pointer, argv: *mut Pointer, argc: c_int) -> c_int {
    let chain = match new_chain(&arguments(argv, argc)) {
        Ok(chain) => chain,
        Err(message) => return fail(context, message),
    };
    let key = (api().OpenKey)(context, *argv.add(1), READ | WRITE);
    let result = if (api().KeyType)(key) != 0 {
        fail(context, "item exists")
    } else {
        (api().ModuleTypeSetValue)(key, TYPE, Box::into_raw(Box::new(chain)).cast());
        (api().ReplyWithSimpleString)(context, b"OK\0".as_ptr().cast())
    };
    (api().CloseKey)(key);
    result
}

/// Calls `use_chain` with the filter at the key in argv[1]. A key without one is an error.
unsafe fn with_chain(
    context: Pointer,
    argv: *mut Pointer,
    argc: c_int,
    use_chain: impl FnOnce(&mut Chain, &[&[u8]]) -> c_int,
) -> c_int {
    if argc < 2 {
        return fail(context, "wrong number of arguments");
    }
    let key = (api().OpenKey)(context, *argv.add(1), READ | WRITE);
    let result = if (api().ModuleTypeGetType)(key) != TYPE {
        fail(context, "not found")
    } else {
        let chain = &mut *((api().ModuleTypeGetValue)(key) as *mut Chain);
        use_chain(chain, &arguments(argv, argc)[2..])
    };
    (api().CloseKey)(key);
    result
}

unsafe extern "C" fn madd(context: Pointer, argv: *mut Pointer, argc: c_int) -> c_int {
    with_chain(context, argv, argc, |chain, items| {
        (api().ReplyWithArray)(context, items.len() as _);
        for item in items {
            match chain.add(item) {
                Ok(added) => (api().ReplyWithLongLong)(context, added as c_longlong),
                Err(message) => fail(context, message),
            };
        }
        OK
    })
}

unsafe extern "C" fn mexists(context: Pointer, argv: *mut Pointer, argc: c_int) -> c_int {
    with_chain(context, argv, argc, |chain, items| {
        (api().ReplyWithArray)(context, items.len() as _);
        for item in items {
            (api().ReplyWithLongLong)(context, chain.contains(item) as c_longlong);
        }
        OK
    })
}

unsafe extern "C" fn info(context: Pointer, argv: *mut Pointer, argc: c_int) -> c_int {
    with_chain(context, argv, argc, |chain, _| {
        let fields: [(&CStr, u64); 4] = [
            (
                c"Capacity",
                chain.layers.iter().map(|layer| layer.capacity).sum(),
            ),
            (c"Number of filters", chain.layers.len() as u64),
            (
                c"Number of items inserted",
                chain.layers.iter().map(|layer| layer.items).sum(),
            ),
            (c"Expansion rate", chain.expansion),
        ];
        (api().ReplyWithArray)(context, 2 * fields.len() as std::os::raw::c_long);
        for (name, value) in fields {
            (api().ReplyWithSimpleString)(context, name.as_ptr());
            (api().ReplyWithLongLong)(context, value as c_longlong);
        }
        OK
    })
}

/// The server calls this function when it loads the module.
#[no_mangle]
pub unsafe extern "C" fn RedisModule_OnLoad(context: Pointer, _: *mut Pointer, _: c_int) -> c_int {
    API = Api::get(context);
    if (*std::ptr::addr_of!(API)).is_none() {
        return ERR;
    }
    (api().SetModuleAttribs)(context, c"bf".as_ptr(), 1, 1);
    let methods = Methods {
        version: 1,
        rdb_load: load,
        rdb_save: save,
        aof_rewrite: null(),
        mem_usage: null(),
        digest: null(),
        free,
    };
    TYPE = (api().CreateDataType)(context, c"bloomfltr".as_ptr(), ENCODING, &methods);
    let commands: [(&CStr, Command, &CStr); 4] = [
        (c"BF.RESERVE", reserve, c"write deny-oom"),
        (c"BF.MADD", madd, c"write deny-oom"),
        (c"BF.MEXISTS", mexists, c"readonly"),
        (c"BF.INFO", info, c"readonly"),
    ];
    if TYPE.is_null() {
        return ERR;
    }
    for (name, command, flags) in commands {
        if (api().CreateCommand)(context, name.as_ptr(), command, flags.as_ptr(), 1, 1, 1) != OK {
            return ERR;
        }
    }
    OK
}
