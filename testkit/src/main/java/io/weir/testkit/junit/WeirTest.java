package io.weir.testkit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test of a class a {@link io.weir.Weir} of its own, which stands on a {@link
 * io.weir.testkit.FakeTicker} and is closed after the test. Take what is needed as parameters, of
 * type {@code Weir}, {@code FakeTicker} or {@link io.weir.RateLimiter}, in test methods, in
 * {@code @BeforeEach} and {@code @AfterEach}, or in the constructor:
 *
 * <pre>{@code
 * @WeirTest
 * class SignupTest {
 *   @Test
 *   void admitsAgainAfterTheWindow(RateLimiter limiter, FakeTicker ticker) {
 *     Policy policy = Policy.builder("signup").limit(1).window(Duration.ofMinutes(1)).build();
 *     assertThat(limiter.tryAcquire(policy, Key.of("alice"))).admitted();
 *     Decision second = limiter.tryAcquire(policy, Key.of("alice"));
 *     assertThat(second).refused();
 *
 *     ticker.advance(second.retryAfter());
 *     assertThat(limiter.tryAcquire(policy, Key.of("alice"))).admitted();
 *   }
 * }
 * }</pre>
 *
 * <p>All parameters of one test belong together. What is taken once for a class, in
 * {@code @BeforeAll} or by the constructor of a class with {@code @TestInstance(PER_CLASS)}, is
 * shared by all of its tests and closed after the last one.
 *
 * <p>The annotation may also stand on a test method or on a {@code @Nested} class; its settings
 * then add to those of the enclosing classes, and override them. For parts that settings can't
 * name, such as a {@code TierResolver}, register a {@link WeirExtension} instead.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(WeirExtension.class)
public @interface WeirTest {
  /**
   * Lists the settings of the Weir, each as {@code name=value}, such as {@code
   * "weir.headers=none"}. Without any, all settings have their defaults.
   *
   * @return full names and values
   */
  String[] settings() default {};

  /**
   * Determines whether the Weir also reads the settings that an application reads: {@code
   * weir.properties} in the working directory and on the class path, environment variables and
   * system properties. {@link #settings()} override them. By default none of them is read, so that
   * a test doesn't depend on where it runs.
   *
   * @return true to read them, for the class and all that it encloses
   */
  boolean ambientSettings() default false;
}
