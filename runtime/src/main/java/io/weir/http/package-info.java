/**
 * A decision on the wire: as header fields, status and problem document. Both web adapters speak
 * through it.
 */
@NullMarked
package io.weir.http;

import org.jspecify.annotations.NullMarked;
