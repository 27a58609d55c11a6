package io.weir.architecture.breach.aspectj;

import org.aspectj.lang.ProceedingJoinPoint;

/** No breach. */
interface AtHome {
  ProceedingJoinPoint aspectj();
}
