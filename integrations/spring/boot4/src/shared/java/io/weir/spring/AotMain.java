package io.weir.spring;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.annotation.RateLimit;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Starts a web application that was processed ahead of time. */
@EnableAutoConfiguration
public class AotMain {
  /** Spring makes it. */
  public AotMain() {}

  /** A bean that is limited. */
  public static class Searches {
    /** Is called by nobody. */
    @RateLimit(limit = 1, window = 60)
    public void search() {}
  }

  /**
   * Makes the bean.
   *
   * @return a limited one
   */
  @Bean
  public Searches searches() {
    return new Searches();
  }

  /**
   * Starts it, and uses its limiter.
   *
   * @param arguments settings
   */
  public static void main(String[] arguments) {
    ConfigurableApplicationContext context = SpringApplication.run(AotMain.class, arguments);
    Policy one = Policy.builder("one").limit(1).window(Duration.ofMinutes(1)).build();
    Weir weir = context.getBean(Weir.class);
    boolean first = weir.limiter().tryAcquire(one, Key.of("a")).admitted();
    boolean second = weir.limiter().tryAcquire(one, Key.of("a")).admitted();
    String headers = context.getBean(Adapter.class).setting("weir.headers");
    System.out.println("admitted " + first + " " + second + ", headers " + headers);
    System.exit(SpringApplication.exit(context));
  }
}
