#pragma once
#include <mosquitto.h>
#if __has_include(<mosquitto/mqtt_protocol.h>)
#include <mosquitto/mqtt_protocol.h>
#else
#include <mqtt_protocol.h>
#endif
