/** Limits the services of Quarkus' gRPC server. Nothing here is for applications. */
@NullMarked
package io.weir.quarkus.grpc;

import org.jspecify.annotations.NullMarked;
