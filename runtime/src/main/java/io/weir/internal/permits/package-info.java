/**
 * The seam between deciding a request and knowing whether there are permits for it: what a request
 * asks of one bucket, and the {@link io.weir.internal.permits.PermitSource} that answers.
 */
@NullMarked
package io.weir.internal.permits;

import org.jspecify.annotations.NullMarked;
