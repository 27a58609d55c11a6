/** Keeps buckets in RocksDB: keys, lifetimes, and the single writing thread. */
@NullMarked
package io.weir.internal.rocksdb;

import org.jspecify.annotations.NullMarked;
