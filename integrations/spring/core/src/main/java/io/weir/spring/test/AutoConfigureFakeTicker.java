package io.weir.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives the application under test a {@link io.weir.testkit.FakeTicker} as the time of its limits,
 * which the test can inject and move:
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureMockMvc
 * @AutoConfigureFakeTicker
 * class SearchTest {
 *   @Autowired FakeTicker ticker;
 *   @Autowired MockMvc mvc;
 *
 *   @Test
 *   void admitsTenSearchesAMinute() throws Exception {
 *     for (int each = 0; each < 10; each++) {
 *       mvc.perform(get("/search")).andExpect(status().isOk());
 *     }
 *     mvc.perform(get("/search")).andExpect(status().isTooManyRequests());
 *
 *     ticker.advance(Duration.ofMinutes(1));
 *     mvc.perform(get("/search")).andExpect(status().isOk());
 *   }
 * }
 * }</pre>
 *
 * <p>Also for {@code @WebMvcTest} and {@code @WebFluxTest}. It takes precedence over a ticker of
 * the application. Tests that share a context share the ticker and the counts, so a test begins by
 * advancing over the longest window where an earlier one may have used permits up. Needs the module
 * {@code weir-testkit}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureFakeTicker {}
