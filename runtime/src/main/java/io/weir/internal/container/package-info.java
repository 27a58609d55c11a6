/**
 * Reaches what only a container or an implementation of JAX-RS knows: peers' addresses, the ends of
 * requests and applications, event loops.
 */
@NullMarked
package io.weir.internal.container;

import org.jspecify.annotations.NullMarked;
