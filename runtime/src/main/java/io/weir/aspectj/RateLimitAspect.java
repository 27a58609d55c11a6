package io.weir.aspectj;

import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Pointcut;

/**
 * The aspect that limits annotated methods of any class, wherever they are called from.
 *
 * <p>Woven by AspectJ's agent, which finds it through this jar's {@code META-INF/aop.xml}, or at
 * compile time with this jar as an aspect library. It uses {@linkplain io.weir.Weir#application()
 * the application's Weir}, and so the same limits, buckets and settings as the web adapters.
 *
 * <p><b>What is limited</b>: every execution of a method, static and private ones included, that
 * carries {@link io.weir.annotation.RateLimit} once or repeated, itself or through a composed
 * annotation (also one composed of composed ones); and every public method declared in a class,
 * record or interface that carries it so, unless the method carries an annotation of its own or
 * {@link io.weir.annotation.Unlimited}. Under a class's annotation constructors, lambdas, {@code
 * equals}, {@code hashCode}, {@code toString} and everything that isn't public are free; so is what
 * isn't an endpoint in a servlet or a JAX-RS resource.
 *
 * <p><b>What isn't</b>: AspectJ sees the annotations of the method that runs, not of one that it
 * overrides or implements. An override needs the annotation itself, or an {@link
 * InheritedRateLimits}. Inherited methods that aren't overridden and default methods of interfaces
 * are limited.
 *
 * <p><b>Each execution counts</b>: a loop of five calls takes five times; an override that calls
 * the limited method of its superclass has called a limited method. Only the endpoint's own first
 * execution in a request, for which a web adapter has charged, is not charged again.
 *
 * <p>A refusal throws {@link io.weir.RateLimitExceededException} instead of running the method. All
 * policies decide at once, whether they need a user or not; in a request its caller is the
 * request's, outside of any there are only the method's parameters. What the method throws passes
 * unchanged and is a failure; a {@link java.util.concurrent.CompletionStage} that it returns is
 * judged when it completes, anything else that it returns is a success. A mistake in an annotation
 * throws {@link io.weir.InvalidPolicyException} at the first call.
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
   * The one aspect, as woven code asks for it. The agent would write this method, a weaver at
   * compile time takes the class from its jar as it is.
   *
   * @return the only instance
   */
  public static RateLimitAspect aspectOf() {
    return INSTANCE;
  }

  /**
   * Whether there is an aspect, as woven code may ask.
   *
   * @return true
   */
  public static boolean hasAspect() {
    return true;
  }

  /** The methods that carry a limit of their own. */
  @Pointcut("execution(" + LIMITED + " * *(..))")
  public void limitedMethod() {}

  /** The public methods that their class limits. */
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
   * @return what the method returns
   * @throws Throwable what the method throws, or a refusal
   */
  @Around(value = "limitedMethod()", argNames = "call")
  public Object aroundLimitedMethod(ProceedingJoinPoint call) throws Throwable {
    return LimitedCall.run(call, method -> true);
  }

  /**
   * Limits a method by the annotations of its class.
   *
   * @param call the call
   * @return what the method returns
   * @throws Throwable what the method throws, or a refusal
   */
  @Around(value = "methodOfLimitedClass()", argNames = "call")
  public Object aroundMethodOfLimitedClass(ProceedingJoinPoint call) throws Throwable {
    return LimitedCall.run(call, WovenMethod::isEndpoint);
  }
}
