/**
 * The interface to stores: a {@link io.weir.store.PermitStore} turns claims into grants.
 *
 * <p>Times here are microseconds, amounts permits, and neither is negative, unless said otherwise.
 */
@NullMarked
package io.weir.store;

import org.jspecify.annotations.NullMarked;
