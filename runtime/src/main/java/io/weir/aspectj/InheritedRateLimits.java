package io.weir.aspectj;

import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Pointcut;
import org.jspecify.annotations.Nullable;

/**
 * Limits methods that inherit their limits. AspectJ can't find these methods, so the application
 * names them. With the agent, in an {@code aop.xml} of the application:
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
 * like the class from which its own class inherits a limit. Methods that aren't public aren't
 * limited. {@link RateLimitAspect} limits methods with annotations of their own. A method that
 * calls the annotated method of its superclass counts twice, so the pointcut should name
 * interfaces.
 *
 * <p>Safe for concurrent use.
 */
@Aspect
public abstract class InheritedRateLimits {
  /** Called by subclasses, including those that the weaver makes from {@code aop.xml}. */
  protected InheritedRateLimits() {}

  /** Selects the methods that may have inherited limits. */
  @Pointcut
  protected abstract void endpoints();

  /**
   * Limits a method by the annotations that it inherits.
   *
   * @param call the call
   * @return the result of the method
   * @throws Throwable the exception of the method, or a refusal
   */
  @Around(
      value =
          "endpoints() && execution(public !static * *(..))"
              + " && !execution(boolean equals(Object)) && !execution(int hashCode())"
              + " && !execution(String toString())"
              + " && !io.weir.aspectj.RateLimitAspect.limitedMethod()"
              + " && !io.weir.aspectj.RateLimitAspect.methodOfLimitedClass()",
      argNames = "call")
  public @Nullable Object aroundEndpoint(ProceedingJoinPoint call) throws Throwable {
    return WovenCall.run(call, method -> true);
  }
}
