package io.weir.grpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a stream of the client count by message: the policies of the method count each message as
 * they would count a call. Without it a stream counts once, when it begins.
 *
 * <p>The first message is covered by the decision at the beginning of the stream. If a policy
 * refuses a later one, the handler doesn't get it, and the stream ends with the status of the
 * refusal. A message has no status of its own: it counts as a success once the handler has taken
 * it, as a failure if the handler throws. Messages keep their order while one is decided.
 *
 * <p>On a class it concerns the methods whose clients stream. On a method whose client sends a
 * single message it is a mistake, which {@link RateLimitInterceptor#limit} names. Subclasses
 * inherit it, also on methods that they override.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface PerMessage {}
