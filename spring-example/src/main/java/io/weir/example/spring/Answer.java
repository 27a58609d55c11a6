package io.weir.example.spring;

/**
 * The JSON response of most endpoints.
 *
 * @param endpoint the endpoint's name
 */
record Answer(String endpoint) {}
