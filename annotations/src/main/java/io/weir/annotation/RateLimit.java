package io.weir.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.temporal.ChronoUnit;

/**
 * Limits how often a caller may use an endpoint: at most {@link #limit()} permits per {@link
 * #window()}.
 *
 * <pre>{@code
 * @GET
 * @RateLimit(limit = 100, window = 60, by = USER, mode = SOFT)
 * @RateLimit(limit = 1000, window = 1, unit = HOURS, by = IP)
 * public List<Hit> search(@QueryParam("q") String q) { … }
 * }</pre>
 *
 * <p><b>On a method</b> it limits that method. <b>On a class</b> it makes one policy, named for the
 * class, whose bucket is shared by all endpoints of the class that have no limit of their own;
 * {@link Unlimited} exempts. <b>On an annotation type</b> it makes that annotation a composed one:
 * whatever carries it is limited as if it carried this.
 *
 * <p><b>Repeated</b>, all must admit. Policies that need no user are decided before authentication,
 * those by {@link By#USER} after it. Each phase is all or nothing: if one policy refuses, none is
 * charged. A refusal in the second phase refunds the first.
 *
 * <p><b>Inherited</b> like the annotations of JAX-RS: a method without any takes those of the
 * method that it overrides in a superclass, else of the one that it implements in an interface.
 *
 * <p>A mistake (a limit of 0, a SOFT limit that can't exceed, two policies of one name that differ)
 * stops the application at start-up with a message that names class, method, member, value and
 * rule. Settings named {@code weir.policy.<name>.<member>} override members without a rebuild.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Repeatable(RateLimits.class)
public @interface RateLimit {
  /**
   * How many permits a window has.
   *
   * @return 1 to 1,000,000,000
   */
  long limit();

  /**
   * The length of the window in {@link #unit()}.
   *
   * @return 10 milliseconds to 366 days, in {@link #unit()}s; of a calendar window 1, or 1, 2, 3, 4
   *     or 6 months
   */
  long window();

  /**
   * The unit of {@link #window()}: MILLIS, SECONDS, MINUTES, HOURS or DAYS, and by the calendar
   * WEEKS, MONTHS or YEARS; any other is an error at start-up.
   *
   * <p>A <b>calendar window</b> begins at midnight in its {@link #zone()}: a week on Monday, months
   * with January, April and so on if it has three, a year on the first of January. A day is 24
   * hours from any moment, and one of the calendar only with a zone.
   *
   * @return seconds unless said otherwise
   */
  ChronoUnit unit() default ChronoUnit.SECONDS;

  /**
   * The time zone of a calendar window.
   *
   * @return {@code Europe/Berlin}, {@code UTC} or {@code +01:00}; if it is empty, what the setting
   *     {@code weir.zone} says, UTC unless set
   */
  String zone() default "";

  /**
   * Whom it counts; several form one composite key.
   *
   * @return the address of the caller unless said otherwise; at least one, none twice
   */
  By[] by() default {By.IP};

  /**
   * What {@link By#KEY} reads: {@code header:X-Api-Key}, {@code query:user}, {@code path:tenant},
   * {@code cookie:sid}, {@code param:phone} (a parameter of the method, for the aspect), or the
   * name of a registered {@code KeyResolver}. Several form one key.
   *
   * @return the expressions; required with {@code by = KEY}, an error without it
   */
  String[] key() default {};

  /**
   * What happens at the limit.
   *
   * @return HARD unless said otherwise
   */
  Mode mode() default Mode.HARD;

  /**
   * How far above the limit SOFT and ELASTIC may go; with the bucket algorithms, above the burst.
   * Rounded down to whole permits; with SOFT an excess that rounds to nothing is an error.
   *
   * @return percent of the limit, 0 to 1000; without effect with HARD
   */
  int exceedBy() default 10;

  /**
   * How permits are counted over time.
   *
   * @return one at most; if none, SLIDING_WINDOW, or FIXED_WINDOW for a calendar window, which is
   *     counted by no other
   */
  Algorithm[] algorithm() default {};

  /**
   * How many permits may be used at once: the size of a {@link Algorithm#TOKEN_BUCKET} (0: {@link
   * #limit()}), or how many may come together with a {@link Algorithm#LEAKY_BUCKET} (0: one).
   *
   * @return 0 to 1,000,000,000; an error other than 0 with the window algorithms
   */
  long burst() default 0;

  /**
   * Of a {@link Algorithm#TOKEN_BUCKET}, how many permits come back at once each whole {@link
   * #window()}. The bucket holds {@link #limit()}; the first take from a full one starts its clock.
   * So {@code limit = 10, refill = 1, window = 1, unit = HOURS} is ten at once, and one more for
   * each hour that passes.
   *
   * @return 1 up to the limit; 0: the whole limit comes back evenly within a window
   */
  long refill() default 0;

  /**
   * Whether a refusal starts the wait for the next {@link #refill()} anew, so that a caller stays
   * out until it pauses for a whole window. Only with {@link Mode#HARD}.
   *
   * @return true to make callers pause
   */
  boolean strict() default false;

  /**
   * How many permits one request takes. If it is 1, the settings {@code weir.cost.<METHOD>} may set
   * another cost for each HTTP method.
   *
   * @return 1 up to the permits at once: the limit, or the burst of a bucket algorithm
   */
  long cost() default 1;

  /**
   * Where the cost of a request is found: an expression as in {@link #key()}, {@code query:amount}
   * say, or the name of a registered {@code CostResolver}. It goes before {@link #cost()} and
   * {@code weir.cost.<METHOD>}.
   *
   * <p>The text there is a number of up to 15 digits, with up to 9 behind a point, and is rounded
   * up to whole permits. A request without one, with several, with anything else, or with more than
   * the caller's permits at once is answered with 400 and charged nowhere. One that costs 0 is
   * admitted without asking.
   *
   * @return an expression or a name; empty: the cost doesn't depend on the request
   */
  String costFrom() default "";

  /**
   * Which requests the policy holds for: the name of a registered {@code RequestCondition}. Others
   * pass as if it weren't there. Such a policy is decided after authentication.
   *
   * @return a name; empty: all requests
   */
  String when() default "";

  /**
   * How much of the limit the policy gives up while its node is busy.
   *
   * @return nothing unless said otherwise
   */
  Priority priority() default Priority.NONE;

  /**
   * Which requests count.
   *
   * @return all unless said otherwise
   */
  Count count() default Count.ALL;

  /**
   * Other limits for the callers of some tiers. The application's {@code TierResolver} says which
   * tier a caller has; for none, or one that isn't listed, {@link #limit()} holds. A caller keeps
   * its bucket, and so its count, when its tier changes.
   *
   * @return the tiers, each name once
   */
  Tier[] tiers() default {};

  /**
   * How far a cluster may admit ahead of the shared store, so that a caller that isn't cached
   * needn't wait for it. Without effect if the store is in this process.
   *
   * @return percent of the limit, 0 to 100; 0: never
   */
  int overshoot() default 0;

  /**
   * How a node decides while the shared store can't be reached.
   *
   * @return what {@code weir.on-store-failure} says unless said otherwise
   */
  OnStoreFailure onStoreFailure() default OnStoreFailure.DEFAULT;

  /**
   * Whether to decide, measure and log, but refuse nobody.
   *
   * @return true for a dry run
   */
  boolean shadow() default false;

  /**
   * The policy's name in headers, metrics and settings. By default {@code Search.search} for the
   * method {@code search} of the class {@code Search}, {@code Search} for the class; repeated
   * annotations append what they count by and the window ({@code Search.search.ip-1h}). Policies of
   * the same name share their buckets and must be equal.
   *
   * @return {@code [A-Za-z0-9._-]{1,64}}, or empty for the default
   */
  String name() default "";
}
