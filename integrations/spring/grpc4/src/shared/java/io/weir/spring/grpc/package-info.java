@NullMarked
package io.weir.spring.grpc;

import org.jspecify.annotations.NullMarked;
