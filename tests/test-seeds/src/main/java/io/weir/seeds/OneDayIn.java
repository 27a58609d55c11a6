package io.weir.seeds;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a class on one day in so many, and every day in long builds ({@link Seeds#deep}). On other
 * days nothing of it starts: no server, no context. The name of the class decides on which days.
 * For tests that take long beside what they find. Where methods take turns too ({@link RunOneIn}),
 * they do so on the days of their class.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(TurnCondition.class)
public @interface OneDayIn {
  /** In so many days the class has its turn. */
  int value();
}
