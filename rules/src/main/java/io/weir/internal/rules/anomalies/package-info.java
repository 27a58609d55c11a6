/** Finds callers that use an endpoint far more often than usual, and throttles or blocks them. */
@NullMarked
package io.weir.internal.rules.anomalies;

import org.jspecify.annotations.NullMarked;
