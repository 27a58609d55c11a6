/**
 * The seam between deciding a request and finding permits for it: the request of one bucket, and
 * the {@link io.weir.internal.permits.PermitSource} that answers.
 */
@NullMarked
package io.weir.internal.permits;

import org.jspecify.annotations.NullMarked;
