/**
 * Finds callers who use an endpoint far more often than usual, and says what is done about them.
 */
@NullMarked
package io.weir.internal.rules.anomalies;

import org.jspecify.annotations.NullMarked;
