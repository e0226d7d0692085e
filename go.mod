module skidpad

go 1.26
