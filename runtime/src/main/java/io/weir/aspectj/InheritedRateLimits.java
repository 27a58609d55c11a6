package io.weir.aspectj;

import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Pointcut;

/**
 * An aspect for methods that inherit their limits, which AspectJ can't find by itself: one says
 * where they are. With the agent, in an {@code aop.xml} of the application:
 *
 * <pre>{@code
 * <aspects>
 *   <concrete-aspect name="com.example.ServiceLimits"
 *       extends="io.weir.aspectj.InheritedRateLimits">
 *     <pointcut name="endpoints" expression="execution(* com.example.api..*+.*(..))"/>
 *   </concrete-aspect>
 * </aspects>
 * }</pre>
 *
 * or as an aspect that extends this one and declares the pointcut.
 *
 * <p>A method that overrides or implements an annotated one is limited as that is; a public one of
 * a class that inherits its limit, as that. What isn't public isn't limited. What {@link
 * RateLimitAspect} limits already is left to it, what carries and inherits no limit is free. A
 * method that calls the annotated method of its superclass is counted twice, so a pointcut best
 * names interfaces.
 *
 * <p>Safe for concurrent use.
 */
@Aspect
public abstract class InheritedRateLimits {
  /** For subclasses, and for those that the weaver makes of {@code aop.xml}. */
  protected InheritedRateLimits() {}

  /** The methods that may have inherited limits. */
  @Pointcut
  protected abstract void endpoints();

  /**
   * Limits a method by the annotations that it inherits.
   *
   * @param call the call
   * @return what the method returns
   * @throws Throwable what the method throws, or a refusal
   */
  @Around(
      value =
          "endpoints() && execution(public !static * *(..))"
              + " && !execution(boolean equals(Object)) && !execution(int hashCode())"
              + " && !execution(String toString())"
              + " && !io.weir.aspectj.RateLimitAspect.limitedMethod()"
              + " && !io.weir.aspectj.RateLimitAspect.methodOfLimitedClass()",
      argNames = "call")
  public Object aroundEndpoint(ProceedingJoinPoint call) throws Throwable {
    return LimitedCall.run(call, method -> true);
  }
}
