/** Limits the services of Spring gRPC. */
@NullMarked
package io.weir.spring.grpc;

import org.jspecify.annotations.NullMarked;
