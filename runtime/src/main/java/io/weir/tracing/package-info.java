/** Records decisions on the spans of tracers. Spans never contain keys, which identify callers. */
@NullMarked
package io.weir.tracing;

import org.jspecify.annotations.NullMarked;
