package io.weir.aspectj;

import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Pointcut;

/**
 * An aspect for methods that inherit their limits. AspectJ can't find those by itself, so the
 * application names them: public because an application extends it. With the agent, in an {@code
 * aop.xml} of the application:
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
 * <p>A public method is limited like the annotated method that it overrides or implements, else
 * like the class that its own class inherits a limit from. Methods that aren't public aren't
 * limited. Methods with annotations of their own are left to {@link RateLimitAspect}. A method that
 * calls the annotated method of its superclass counts twice, so the pointcut had best name
 * interfaces.
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
