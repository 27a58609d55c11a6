/**
 * A decision on the wire: as header fields, status and problem document. Both web adapters speak
 * through it.
 */
@NullMarked
package io.weir.internal.http;

import org.jspecify.annotations.NullMarked;
