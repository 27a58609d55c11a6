package io.weir.aspectj;

import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Pointcut;
import org.jspecify.annotations.Nullable;

/**
 * Limits annotated methods of any class, wherever they are called from.
 *
 * <p>Woven by AspectJ's agent, which finds it through this jar's {@code META-INF/aop.xml}, or at
 * compile time with this jar as an aspect library. It uses {@linkplain io.weir.Weir#application()
 * the application's Weir}, and so the same limits, buckets and settings as the web adapters.
 *
 * <p><b>Limited</b> is every execution of a method, static and private ones included, that carries
 * {@link io.weir.annotation.RateLimit} once or repeated, itself or through a composed annotation
 * (also one composed of composed ones); and every public method declared in a class, record or
 * interface that carries it in this way, unless the method carries an annotation of its own or
 * {@link io.weir.annotation.Unlimited}. The annotation of a class doesn't limit constructors,
 * lambdas, {@code equals}, {@code hashCode}, {@code toString} and methods that aren't public; in a
 * servlet or a JAX-RS resource it limits only endpoints.
 *
 * <p><b>Not limited</b> are overriding methods without an annotation: AspectJ sees the annotations
 * of the method that runs, not of one that it overrides or implements. An override needs the
 * annotation itself, or an {@link InheritedRateLimits}. Inherited methods that aren't overridden
 * and default methods of interfaces are limited.
 *
 * <p><b>Each execution counts</b>: a loop of five calls takes five times the cost; an override that
 * calls the limited method of its superclass has called a limited method. Only the endpoint's own
 * first execution in a request, for which a web adapter has charged, is not charged again.
 *
 * <p>A refusal throws {@link io.weir.RateLimitExceededException} instead of running the method. All
 * policies decide at once, whether they need a user or not; the caller is that of the request that
 * the thread serves, and without a request policies have only the method's parameters. Exceptions
 * of the method pass unchanged and count as failures; a returned {@link
 * java.util.concurrent.CompletionStage} counts as it completes, any other result as a success. A
 * mistake in an annotation throws {@link io.weir.InvalidPolicyException} at the first call.
 *
 * <p>Safe for concurrent use.
 */
@Aspect
public class RateLimitAspect {
  private static final String DIRECT =
      "io.weir.annotation.RateLimit || io.weir.annotation.RateLimits";
  private static final String LIMITED =
      "@(" + DIRECT + " || @(" + DIRECT + ") * || @(@(" + DIRECT + ") *) *)";

  private static final RateLimitAspect INSTANCE = new RateLimitAspect();

  private RateLimitAspect() {}

  /**
   * Returns the aspect; called by woven code. The agent would add this method, but a weaver at
   * compile time leaves the class in its jar as it is.
   *
   * @return the only instance
   */
  public static RateLimitAspect aspectOf() {
    return INSTANCE;
  }

  /**
   * Returns whether there is an aspect; called by woven code.
   *
   * @return true
   */
  public static boolean hasAspect() {
    return true;
  }

  /** Selects the methods that carry a limit of their own. */
  @Pointcut("execution(" + LIMITED + " * *(..))")
  public void limitedMethod() {}

  /** Selects the public methods that their class limits. */
  @Pointcut(
      "execution(!"
          + LIMITED
          + " !@io.weir.annotation.Unlimited public * ("
          + LIMITED
          + " *).*(..)) && !execution(boolean equals(Object)) && !execution(int hashCode())"
          + " && !execution(String toString())")
  public void methodOfLimitedClass() {}

  /**
   * Limits a method by its own annotations.
   *
   * @param call the call
   * @return the result of the method
   * @throws Throwable the exception of the method, or a refusal
   */
  @Around(value = "limitedMethod()", argNames = "call")
  public @Nullable Object aroundLimitedMethod(ProceedingJoinPoint call) throws Throwable {
    return WovenCall.run(call, method -> true);
  }

  /**
   * Limits a method by the annotations of its class.
   *
   * @param call the call
   * @return the result of the method
   * @throws Throwable the exception of the method, or a refusal
   */
  @Around(value = "methodOfLimitedClass()", argNames = "call")
  public @Nullable Object aroundMethodOfLimitedClass(ProceedingJoinPoint call) throws Throwable {
    return WovenCall.run(call, WovenMethod::isEndpoint);
  }
}
