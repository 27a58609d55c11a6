package io.weir.spring.page;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Lets pages of the page's shop read what Weir answers. */
@Configuration
class CrossOriginConfiguration implements WebMvcConfigurer {
  @Override
  public void addCorsMappings(CorsRegistry registry) {
    registry
        .addMapping("/**")
        .allowedOrigins("https://shop.example")
        .exposedHeaders("Retry-After", "RateLimit", "RateLimit-Policy");
  }
}
