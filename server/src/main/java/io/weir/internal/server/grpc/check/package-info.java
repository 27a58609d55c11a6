/** Weir's own service over gRPC. */
@NullMarked
package io.weir.internal.server.grpc.check;

import org.jspecify.annotations.NullMarked;
