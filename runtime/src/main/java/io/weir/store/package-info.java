/**
 * The interface to stores: a {@link io.weir.store.PermitStore} turns claims into grants.
 *
 * <p>All times here are microseconds, all amounts permits; nothing is ever negative.
 */
@NullMarked
package io.weir.store;

import org.jspecify.annotations.NullMarked;
