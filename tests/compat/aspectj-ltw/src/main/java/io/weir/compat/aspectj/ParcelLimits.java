package io.weir.compat.aspectj;

import io.weir.aspectj.InheritedRateLimits;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Pointcut;

/** Weaves inherited limits, as an application would. */
@Aspect
public class ParcelLimits extends InheritedRateLimits {
  @Override
  @Pointcut("execution(* io.weir.compat.aspectj.Parcels+.*(..))")
  protected void endpoints() {}
}
