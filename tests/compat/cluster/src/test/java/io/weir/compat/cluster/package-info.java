/** Several JVMs as one cluster on a real store: bursts, load and faults. */
@NullMarked
package io.weir.compat.cluster;

import org.jspecify.annotations.NullMarked;
