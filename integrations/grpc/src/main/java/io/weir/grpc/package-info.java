/**
 * Limits the services of a gRPC server by their annotations: {@link
 * io.weir.grpc.RateLimitInterceptor}.
 */
@NullMarked
package io.weir.grpc;

import org.jspecify.annotations.NullMarked;
