/**
 * The seam behind which buckets live: a {@link io.weir.store.PermitStore} turns claims into grants.
 *
 * <p>All times here are microseconds, all amounts permits; nothing is ever negative.
 */
@NullMarked
package io.weir.store;

import org.jspecify.annotations.NullMarked;
