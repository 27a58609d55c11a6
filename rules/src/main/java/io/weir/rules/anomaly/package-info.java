/** Callers that use an endpoint far more often than usual. */
@NullMarked
package io.weir.rules.anomaly;

import org.jspecify.annotations.NullMarked;
