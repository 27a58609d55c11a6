package io.weir.spring.test;

import io.weir.testkit.FakeTicker;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Makes the ticker of {@link AutoConfigureFakeTicker}. */
@AutoConfiguration
class FakeTickerAutoConfiguration {
  @Bean
  @Primary
  FakeTicker weirFakeTicker() {
    return new FakeTicker();
  }
}
