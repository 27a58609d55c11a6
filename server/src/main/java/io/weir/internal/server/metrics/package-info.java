/** What is measured, beside what the limiter measures of itself. */
@NullMarked
package io.weir.internal.server.metrics;

import org.jspecify.annotations.NullMarked;
