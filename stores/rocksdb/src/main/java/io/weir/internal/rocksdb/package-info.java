/** How buckets are kept in RocksDB: keys, lifetimes, and the one thread that writes. */
@NullMarked
package io.weir.internal.rocksdb;

import org.jspecify.annotations.NullMarked;
