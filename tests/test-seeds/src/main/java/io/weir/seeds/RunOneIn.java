package io.weir.seeds;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs about one in so many of the test methods that a class inherits, others each day, and at
 * least one; all of them in long builds ({@link Seeds#deep}). The names of class and method decide
 * on which days, so that a new test moves no other. For a contract that another class runs whole in
 * every build, on another database, container or library. Methods that the class declares itself
 * run in every build unless {@link #own} says otherwise.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(TurnCondition.class)
public @interface RunOneIn {
  /** In so many days each method has its turn. */
  int value();

  /** Whether methods that the class declares itself take turns too: tests of one kind, all slow. */
  boolean own() default false;
}
